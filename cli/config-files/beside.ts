import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a file of this name stands beside a workspace file, or in a folder of them. */
export function beside(workspaceFile: string, name: string): string {
  const isFolder = existsSync(workspaceFile) && statSync(workspaceFile).isDirectory();
  return join(isFolder ? workspaceFile : dirname(workspaceFile), name);
}
