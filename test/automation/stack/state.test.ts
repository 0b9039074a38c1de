/** Tests automation/stack/state.ts. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasOtherForm, stackNamesIn } from "../../../automation/stack/state.js";
import { temporaryFolder } from "../../cli/support.js";

function stateFolder() {
  const pulumi = join(temporaryFolder(), ".pulumi");
  mkdirSync(join(pulumi, "stacks/app"), { recursive: true });
  writeFileSync(join(pulumi, "meta.yaml"), "version: 1\n");
  const write = (...names: string[]) =>
    names.forEach((name) => writeFileSync(join(pulumi, "stacks/app", name), "{}"));
  return { pulumi, write, location: { project: "app", stack: "dev" } };
}

const BESIDE = ["", ".attrs", ".bak", ".bak.attrs", ".187c1f0a2b3c4d5e.tmp", ".bak.187c1f0a2b3c4d5e.tmp"].map(
  (ending) => `dev.json${ending}`,
);

it("tells a plain state next to backups and temporary files from a compressed one", () => {
  const { pulumi, write, location } = stateFolder();
  write(...BESIDE);
  expect(hasOtherForm(pulumi, location)).toBe(false);
  for (const compressed of ["dev.json.gz", "dev.json.zst", "dev.json.gz.187c1f0a2b3c4d5e.tmp"]) {
    write(compressed);
    expect(hasOtherForm(pulumi, location)).toBe(true);
    rmSync(join(pulumi, "stacks/app", compressed));
  }
});

it("lists the stacks of a project by their states, and leaves other layouts to Pulumi", () => {
  const { pulumi, write } = stateFolder();
  write(...BESIDE, "eu.west.json.gz", "dev.pulumi-tags", "dev.pulumi-tags.attrs");
  expect(stackNamesIn(pulumi, "app")?.toSorted()).toEqual(["dev", "eu.west"]);
  expect(stackNamesIn(pulumi, "other")).toEqual([]);
  expect(stackNamesIn(join(pulumi, "none"), "app")).toEqual([]);
  writeFileSync(join(pulumi, "meta.yaml"), "version: 2\n");
  expect(stackNamesIn(pulumi, "app")).toBeUndefined();
  rmSync(join(pulumi, "meta.yaml"));
  expect(stackNamesIn(pulumi, "app")).toBeUndefined();
});
