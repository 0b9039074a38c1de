/** Writes the variables that an exported file reads to a file for the shell, and fills in those that a Terraform state knows. */
import { readTextIfPresent } from "../../../trust/checkout-files.js";
import { chooseVariableFor } from "../../../trust/variables.js";
import { formatCount } from "../../../diff/format-count.js";
import { CliError } from "../../errors.js";
import { stripControls } from "../../reporters/format-values.js";
import { note, type Io } from "../../terminal/io.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import type { Needed } from "./placeholders.js";
import { formatNeededLine, nameUses } from "./print-remaining.js";
import { renderTerraformValues } from "./terraform-values.js";

export interface VariablesFileOptions {
  /** The file to write. */
  readonly variablesFile?: string;
  /** Output of `terraform show -json`. */
  readonly valuesFrom?: string;
  readonly language?: string;
}

/** @throws {CliError} for options that do not fit together */
export function requireVariablesFile({ variablesFile, valuesFrom, language }: VariablesFileOptions): void {
  if (valuesFrom !== undefined && variablesFile === undefined)
    throw new CliError(
      "--values-from needs a file for the values, which no workspace file should contain",
      "add --variables-file workspace.env",
    );
  if (variablesFile !== undefined && language === "typescript")
    throw new CliError(
      "a program reads its values from the stack's configuration, not from environment variables",
      "omit --variables-file: the export prints the commands that set them",
    );
}

/** Returns a line for each value that the user has to set; with --variables-file, that file lists them. */
export function openValues(needed: readonly Needed[], options: VariablesFileOptions, io: Io): string[] {
  const { variablesFile, valuesFrom } = options;
  if (variablesFile === undefined) return needed.map(formatNeededLine);
  const known = valuesFrom === undefined ? undefined : renderTerraformValues(valuesFrom);
  const before = readTextIfPresent(variablesFile, { named: true }) ?? HEAD;
  const set = new Set([...before.matchAll(/^(?:export )?(\w+)=/gm)].map(([, name]) => name));
  const fresh = needed.filter(({ variable }) => !set.has(chooseVariableFor(variable)));
  const values = fresh.map((one) => known?.find(one));
  const lines = fresh.map((one, index) => formatEntry(one, values[index]));
  writeFileAtomically(variablesFile, [before.trimEnd(), ...lines, ""].join("\n"), {
    named: true,
    mode: 0o600,
  });
  const filled = values.filter((value) => value !== undefined).length;
  const found = valuesFrom === undefined ? "" : `, ${filled} of them with the value in ${valuesFrom}`;
  if (fresh.length === 0) note(io, `${variablesFile} needs no further variables`);
  else
    note(
      io,
      `${formatCount(fresh.length, "variable")} added to ${variablesFile}${found}. Fill in the rest, and keep the file out of Git`,
    );
  return [];
}

const HEAD = `# Values for a workspace file. Keep this file out of Git. To load it: set -a; . ./FILE; set +a`;

function formatEntry(needed: Needed, value: string | undefined): string {
  return `\n# ${stripControls(nameUses(needed))}\n${chooseVariableFor(needed.variable)}=${value === undefined ? "" : quoteForShell(value)}`;
}

/** Quotes a value for the shell. */
function quoteForShell(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
