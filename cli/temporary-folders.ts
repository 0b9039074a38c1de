/** Makes folders that are removed at the end of the command. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** Returns the path of a new folder, without links, since the system's own temporary folder may be one and Pulumi compares paths. */
export function makeTemporaryFolder(): string {
  if (folders.size === 0) process.once("exit", removeTemporaryFolders);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workspacectl-")));
  folders.add(folder);
  return folder;
}

/** Removes the folders of the command that has ended, in a process that runs another one. */
export function removeTemporaryFolders(): void {
  process.off("exit", removeTemporaryFolders);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
