/** Target of the fuzzer: loads a text as a workspace file, or several texts as a file with its overlay and includes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";

/** Separator of the texts. */
const SEPARATOR = "\n%%%\n";
const NAMES = ["workspace.yaml", "workspace.eu.yaml", "included.yaml"];

const folder = mkdtempSync(join(tmpdir(), "fuzz-loader-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const prototypeKeys = Reflect.ownKeys(Object.prototype).length;
const env = { WORKSPACE_VAR_API_KEY: "key-value", WORKSPACE_VAR_EMPTY: "", WORKSPACE_VAR_WORD: "sometimes" };
const readConfig = (key: string) => (key === "token" ? { value: "secret", secret: true } : undefined);

export function fuzz(data: Buffer): void {
  const texts = data.toString("utf8").split(SEPARATOR).slice(0, NAMES.length);
  try {
    if (texts.length === 1) {
      readDeclarations("-", { env, config: readConfig, stdin: () => texts[0] ?? "" });
    } else {
      for (const [index, name] of NAMES.entries()) writeFileSync(join(folder, name), texts[index] ?? "");
      readDeclarations(join(folder, NAMES[0] ?? ""), { env, config: readConfig, stack: "eu" });
    }
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    if (error.problems.length === 0) throw new Error("refused without a problem", { cause: error });
    for (const { place, message } of error.problems)
      if (place.line < 1 || place.column < 1 || message === "") throw new Error("no place, or no message");
  }
  if (Reflect.ownKeys(Object.prototype).length !== prototypeKeys)
    throw new Error("the prototype of objects has been changed");
}
