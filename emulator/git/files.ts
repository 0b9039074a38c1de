import { promises as fs } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

/**
 * The file system as the Git library sees it, with writes that are whole or not at all: an object half written when the
 * process dies would be taken for complete ever after.
 */
export function atomicFiles(gitdir: string) {
  const writeFile: typeof fs.writeFile = async (path, data, options) => {
    // In the repository's top folder, where no one looks for objects or refs.
    const temporary = join(gitdir, `tmp-${randomUUID()}`);
    await fs.writeFile(temporary, data, options);
    await fs.rename(temporary, path as string);
  };
  const { readFile, unlink, readdir, mkdir, rmdir, stat, lstat, readlink, symlink, chmod, rm } = fs;
  return {
    promises: {
      readFile,
      writeFile,
      unlink,
      readdir,
      mkdir,
      rmdir,
      stat,
      lstat,
      readlink,
      symlink,
      chmod,
      rm,
    },
  };
}
