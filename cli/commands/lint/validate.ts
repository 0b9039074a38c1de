/** Runs `workspacectl validate`. */
import { readOptions, stackToRead } from "../../../automation/connection/file-facts.js";
import { readPolicies } from "../../../automation/policy/policy-file/read.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { formatCount } from "../../../diff/format-count.js";
import { type Io, print } from "../../../reports/io.js";
import { redirectForPeople } from "../../../reports/output.js";
import {
  chooseFormat,
  printReport,
  reportInvalid,
  toProblemReport,
} from "../../../reports/print-problems.js";
import { getLocation, getPositionIn, listEscapes, listLeavesIn } from "../../../workspace-file/index.js";
import {
  type LoadedFile,
  type LoadOptions,
  readDeclarations,
  WorkspaceFileError,
} from "../../../workspace-file/load/load.js";
import type { ValidateOptions } from "./lint-command.js";

/**
 * Checks a workspace file: syntax, properties, values and references, and the rules of policies. Uses neither the network nor
 * Pulumi.
 * @throws {WorkspaceFileError} with all problems, which are also on standard output in the format for programs
 */
export async function validate(options: ValidateOptions, io: Io): Promise<number> {
  const { file } = options;
  const format = chooseFormat(options);
  const secretConfig = await findSecretConfigIn(file, stackToRead(options, io));
  const read = () => readDeclarations(file, { ...readOptions(options, io), secretConfig });
  const policies = await readPolicies(options, io);
  const loaded = await reportInvalid(format, io, read);
  if (policies.length > 0) {
    const { listDocumentFindings } = await import("../../../automation/policy/policy-file/cel-rules.js");
    const found = await listDocumentFindings(loaded, policies);
    if (found.problems.length > 0) {
      await printReport({ file, ...found }, format, io);
      return exitCodes.error;
    }
  }
  const { declarations, workspace } = loaded;
  const counts = new Map<string, number>();
  for (const { definition } of declarations)
    counts.set(definition.noun, (counts.get(definition.noun) ?? 0) + 1);
  const list = [...counts].map(([noun, count]) => formatCount(count, noun)).join(", ");
  const of = workspace === undefined ? "" : ` for workspace ${workspace}`;
  print(
    redirectForPeople(io, { json: format !== "text" }),
    `${file} is valid${of}: ${list || "it declares nothing"}`,
  );
  if (format === "text") noteEscapes(loaded, io);
  const facts = { workspace, objects: Object.fromEntries(counts) };
  if (format !== "text") {
    await printReport(toProblemReport(new WorkspaceFileError(file, [], ""), facts), format, io);
  }
  return exitCodes.ok;
}

/** Notes what is sent in another form than it is written. */
function noteEscapes({ tree }: LoadedFile, io: Io): void {
  for (const leaf of listLeavesIn(tree))
    for (const written of new Set(listEscapes(leaf.written ?? ""))) {
      const { file, line } = getLocation(getPositionIn(leaf, written));
      note(io, io.colors.dim(`${file}:${line}: ${written} is sent as ${written.slice(1)}`));
    }
}

/** Only the settings of a stack say which values of the configuration are secret. */
async function findSecretConfigIn(
  file: string,
  stack: string | undefined,
): Promise<LoadOptions["secretConfig"]> {
  if (stack === undefined) return undefined;
  const { findProject, findSecretConfig } = await import("../../../automation/stack/project.js");
  return findSecretConfig(findProject(file), stack);
}
