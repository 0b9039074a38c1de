/** Tests the packages that a new program depends on, by how the library was installed. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProgramPackages } from "../../../automation/config-files/package-source.js";
import { temporaryFolder } from "../../toolchain/fakes.js";

/** Installs the library in a folder with this package.json, and returns what a program next to it depends on. */
function findAfterInstall(manifest?: object) {
  const folder = realpathSync(temporaryFolder());
  const library = join(folder, "installed/node_modules/pulumi-workspace-automation");
  mkdirSync(library, { recursive: true });
  if (manifest) writeFileSync(join(folder, "installed/package.json"), JSON.stringify(manifest));
  const { dependencies, ...other } = findProgramPackages(join(folder, "program"), library);
  expect(dependencies["@pulumi/pulumi"]).toMatch(/^\^3/);
  return { source: dependencies["pulumi-workspace-automation"], ...other };
}

it("is the same file or version that the project with the library names", () => {
  const library = "pulumi-workspace-automation";
  const file = { devDependencies: { [library]: "file:vendor/library.tgz" } };
  expect(findAfterInstall(file)).toEqual({ source: "file:../installed/vendor/library.tgz" });
  const version = { dependencies: { [library]: "0.1.0" } };
  expect(findAfterInstall(version)).toEqual({ source: "0.1.0" });
});

it("is a copy of the folder of a global installation, since a link would not find the program's SDK", () => {
  expect(findAfterInstall()).toEqual({
    source: "file:../installed/node_modules/pulumi-workspace-automation",
    settings: "install-links=true\n",
  });
});

it("is the folder in a clone", () => {
  expect(findProgramPackages(process.cwd())).toEqual({
    dependencies: {
      "@pulumi/pulumi": expect.stringMatching(/^\^3/) as string,
      "pulumi-workspace-automation": "file:./packages/library",
    },
  });
});
