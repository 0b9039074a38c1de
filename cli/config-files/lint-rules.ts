/** Lint rules of one's own: YAML files with expressions, and the cases that test them. */
import { existsSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { text } from "../../provider/definition/primitives.js";
import { listFolder, readText, refuseOutsideCheckout } from "../../trust/checkout-files.js";
import { getLocation, getPositionAt, type Location, type Source } from "../../workspace-file/index.js";
import type { CustomRule } from "../../workspace-file/lint/custom/rule.js";
import { WorkspaceFileError } from "../../workspace-file/load/index.js";
import { CliError } from "../errors.js";
import { createDocumentRules, documentRule, ruleCode, ruleSeverity } from "./expression-rules.js";
import { parseFile } from "./checked-files.js";

export const lintRulesSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    rules: z
      .record(ruleCode, z.strictObject({ severity: ruleSeverity, ...documentRule }))
      .describe("The rules, by their codes."),
  })
  .meta({
    title: "Lint rules",
    description: "Rules for `workspacectl lint --rules`, with expressions in CEL.",
  });

const CASES = /\.cases\.ya?ml$/;
const YAML_FILE = /\.ya?ml$/;
const MODULE = /(?<!\.d)\.[cm]?[jt]s$/;

/** Returns the files of a folder that contain rules, or cases of them. Hidden files and folders are omitted. */
export function readRuleFilesIn(folder: string): { readonly rules: string[]; readonly cases: string[] } {
  const files = listFolder(folder, { named: true })
    .filter((name) => !name.startsWith(".") && (YAML_FILE.test(name) || MODULE.test(name)))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  return {
    rules: files.filter((file) => !CASES.test(file)),
    cases: files.filter((file) => CASES.test(file)),
  };
}

/**
 * Reads the rules of files and folders.
 * @throws {WorkspaceFileError} with all problems of a file, {CliError} when there is none
 */
export function readRules(paths: readonly string[]): CustomRule[] {
  const files = paths.flatMap((path) => {
    if (!existsSync(path))
      throw new CliError(`there is no ${path}`, "use a folder or a file with lint rules");
    if (!statSync(path).isDirectory()) return [path];
    const { rules } = readRuleFilesIn(path);
    if (rules.length > 0) return rules;
    throw new CliError(
      `${path} contains no lint rules`,
      "put a file such as rules.yaml into it (docs/lint-rules.md)",
    );
  });
  const known = new Map<string, CustomRule>();
  for (const { rule, source } of [...new Set(files)].flatMap(readRulesIn)) {
    const other = known.get(rule.code)?.place;
    const message = `${rule.code} is declared twice: give this rule, or the one in ${other?.file ?? ""}, another code`;
    if (other)
      throw new WorkspaceFileError(
        source.file,
        [{ place: rule.place, code: "declared-twice", message }],
        source.text,
      );
    known.set(rule.code, rule);
  }
  return [...known.values()];
}

interface Read {
  readonly rule: CustomRule;
  readonly source: Source;
}

/** @throws {CliError} for a module too: rules that do not run would look like rules that find nothing */
function readRulesIn(file: string): Read[] {
  if (!YAML_FILE.test(extname(file)))
    throw new CliError(
      `${file} is not a lint rule file`,
      "write the rules in a .yaml file, with conditions in CEL (docs/lint-rules.md), or move this file elsewhere",
    );
  const { data, tree } = parseFile(lintRulesSchema, file, readText(file, { named: true }));
  const { source } = tree.at;
  return createDocumentRules(data.rules, "rules", tree).map((rule) => ({ rule, source }));
}

export const lintCasesSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    cases: z
      .array(
        z.strictObject({
          name: text.describe("What the case shows."),
          document: z
            .union([text, z.record(z.string(), z.unknown())])
            .describe("Path of a workspace file, relative to this file; or its contents."),
          findings: z
            .array(
              z.strictObject({
                code: text.describe("Code of the rule.").meta({ examples: ["acme/pinned-images"] }),
                at: text
                  .describe("Path in the document; empty for the document as a whole.")
                  .meta({ examples: ["projects.web.pipelines.deploy.actions[0].executeCommands[2]"] }),
                message: text.optional().describe("Message of the finding. Default: any."),
              }),
            )
            .describe("All findings of the rules in the document."),
        }),
      )
      .describe("The cases."),
  })
  .meta({ title: "Cases of lint rules", description: "What `workspacectl rules test` checks." });

export type ExpectedFinding = z.infer<typeof lintCasesSchema>["cases"][number]["findings"][number];

export interface LintCase {
  readonly name: string;
  readonly place: Location;
  /** File of the document, or `-` for one that is written out. */
  readonly file: string;
  /** Text of a document that is written out. */
  readonly text: string | undefined;
  readonly findings: readonly ExpectedFinding[];
}

/** @throws {WorkspaceFileError} with all problems of the file */
export function readCases(file: string): LintCase[] {
  const { data, tree } = parseFile(lintCasesSchema, file, readText(file, { named: true }));
  return data.cases.map(({ name, document, findings }, index) => {
    const place = getLocation(getPositionAt(tree, ["cases", index]));
    const isFile = typeof document === "string";
    if (isFile) refuseOutsideCheckout(join(dirname(file), document), document, file);
    return {
      name,
      place,
      findings,
      file: isFile ? join(dirname(file), document) : "-",
      text: isFile ? undefined : stringify(document, { aliasDuplicateObjects: false }),
    };
  });
}
