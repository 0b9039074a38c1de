/** Checks that a release contains no file that nobody expects in it. */
import { expect, it } from "vitest";
import { requireKnownFiles, unknownFiles } from "../../scripts/packed-files.mjs";

const telemetry = "toolchain/pulumi-cli/given-HOME/.config/go/telemetry/local/upload.token";

it("accepts the files of a package, also those whose names contain a hash", () => {
  const files = ["package.json", "dist/bin/workspacectl.js", "dist/bin/run-ABCD1234.js", "docs/cli.md"];
  expect(unknownFiles("workspacectl", files)).toEqual([]);
});

it("names a file that was left there", () => {
  for (const planted of [telemetry, "dist/bin/.env", "examples/quickstart/Pulumi.dev.yaml", "docs/notes.txt"])
    expect(unknownFiles("workspacectl", ["package.json", planted])).toEqual([planted]);
  expect(() => requireKnownFiles("workspacectl", [telemetry])).toThrow(
    `workspacectl contains ${telemetry}: remove it from the package`,
  );
});

it("accepts nothing in a package without a list", () => {
  expect(unknownFiles("another", ["package.json"])).toEqual(["package.json"]);
});
