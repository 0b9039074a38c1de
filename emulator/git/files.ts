import { promises as fs } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

/**
 * File system for the Git library that writes files atomically. The library would later accept an object that was
 * half written when the process died.
 */
export function atomicFiles(gitdir: string) {
  const writeFile: typeof fs.writeFile = async (path, data, options) => {
    // In the top folder of the repository, where nothing looks for objects or refs.
    const temporary = join(gitdir, `tmp-${randomUUID()}`);
    await fs.writeFile(temporary, data, options);
    await fs.rename(temporary, path as string);
  };
  return { promises: { ...fs, writeFile } };
}
