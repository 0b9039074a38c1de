/**
 * Reads the broken workspace files of test/fixtures/broken: each is a file, or a folder with an overlay or
 * several files.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readDeclarations, WorkspaceFileError } from "../../workspace-file/load/load.js";

const repository = join(import.meta.dirname, "../..");
export const folder = join(import.meta.dirname, "../fixtures/broken");

/** Holds the environment of all broken files. */
export const env = {
  WORKSPACE_VAR_API_KEY: "key-value",
  WORKSPACE_VAR_EMPTY: "",
  WORKSPACE_VAR_WORD: "sometimes",
  SHOP_REGION: "of-the-caller",
  CI_JOB_TOKEN: "of-the-runner",
};

export interface BrokenFile {
  /** Is `category/telling-name`. */
  readonly name: string;
  /** Is the path for `-f`. */
  readonly file: string;
  /** Is the path of the file with the expected diagnostics of `validate`. */
  readonly expectation: string;
}

export function brokenFiles(): BrokenFile[] {
  return readdirSync(folder)
    .filter((category) => statSync(join(folder, category)).isDirectory())
    .flatMap((category) => readdirSync(join(folder, category)).map((name) => `${category}/${name}`))
    .filter((name) => !name.endsWith(".expected"))
    .map((path) => {
      const name = path.replace(/\.yaml$/, "");
      const inFolder = join(folder, path, "workspace.yaml");
      const file = existsSync(inFolder) ? inFolder : join(folder, path);
      return { name, file, expectation: join(folder, `${name}.expected`) };
    });
}

/** Returns the diagnostics of a file without its folder. The overlay is that of the stack `eu`. */
export function complaintOf({ file, name }: BrokenFile): string {
  try {
    readDeclarations(file, { env, stack: "eu" });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return withoutFolder(`${error.message}\n`, name);
    throw error;
  }
  return "nothing is wrong\n";
}

export function withoutFolder(text: string, name: string): string {
  const [category = ""] = name.split("/");
  const here = join(folder, category);
  return text.replaceAll(`${here}/`, "").replaceAll(here, ".").replaceAll(repository, "<repository>");
}

export function expectedOf({ expectation }: BrokenFile): string {
  return readFileSync(expectation, "utf8");
}
