import { readDeclarations } from "../../sdk/nodejs/load/index.js";
import { exitCodes } from "../exit-codes.js";
import { print, type Io } from "../io.js";
import { printJson } from "../service/output.js";
import { forPeople, type JsonOption } from "../plan/report.js";

export interface ValidateOptions extends JsonOption {
  readonly file: string;
}

/**
 * Checks a workspace file: syntax, properties, values, references. No network and no Pulumi.
 * @throws {WorkspaceFileError} with all problems
 */
export function validate({ file, json = false }: ValidateOptions, io: Io): Promise<number> {
  const { declarations, workspace } = readDeclarations(file, { env: io.env });
  const counts = new Map<string, number>();
  for (const { definition } of declarations)
    counts.set(definition.noun, (counts.get(definition.noun) ?? 0) + 1);
  const list = [...counts].map(([noun, count]) => `${count} ${noun}${count === 1 ? "" : "s"}`).join(", ");
  const of = workspace === undefined ? "" : ` for workspace ${workspace}`;
  print(forPeople(io, { json }), `${file} is valid${of}: ${list || "it declares nothing"}`);
  if (json) printJson(io, { file, workspace, objects: Object.fromEntries(counts) });
  return Promise.resolve(exitCodes.ok);
}
