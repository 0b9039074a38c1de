import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { stateFile } from "../../../../cli/engine/stack/state-files.js";
import { temporaryFolder } from "../../support.js";

it("finds the state file beside backups and temporary files, but not beside a compressed state", () => {
  const root = temporaryFolder();
  const folder = join(root, ".pulumi/stacks/app");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, ".pulumi/meta.yaml"), "version: 1\n");
  const location = { backendUrl: pathToFileURL(root).href, root, project: "app", stack: "dev" };
  const write = (...endings: string[]) =>
    endings.forEach((ending) => writeFileSync(join(folder, `dev.json${ending}`), "{}"));
  expect(stateFile(location)).toBeUndefined();
  write("", ".attrs", ".bak", ".bak.attrs", ".187c1f0a2b3c4d5e.tmp", ".bak.187c1f0a2b3c4d5e.tmp");
  expect(stateFile(location)).toBe(join(folder, "dev.json"));
  for (const compressed of [".gz", ".zst", ".gz.187c1f0a2b3c4d5e.tmp"]) {
    write(compressed);
    expect(stateFile(location)).toBeUndefined();
    rmSync(join(folder, `dev.json${compressed}`));
  }
});
