/** Files and links in a folder of a test. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @param folder the folder of the test that runs */
export function writeIn(folder: () => string) {
  const at = (path: string) => join(folder(), path);
  const make = (path: string) => mkdirSync(dirname(at(path)), { recursive: true });
  const put = (path: string, text: string) => {
    make(path);
    writeFileSync(at(path), text);
  };
  const link = (path: string, target: string) => {
    make(path);
    symlinkSync(target, at(path));
  };
  return { at, put, link };
}
