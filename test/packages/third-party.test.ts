/** A bundle ships the license of each package of which it contains code, and a list of them for machines. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { requireThirdParty, writeThirdParty } from "../../scripts/third-party.mjs";

/** The bundler's record of a bundle with one package, and with another of which nothing is left. */
function bundle(license: string | undefined, [file, text] = ["LICENSE.md", "Copyright by somebody"]) {
  const folder = mkdtempSync(join(tmpdir(), "third-party-"));
  const one = join(folder, "node_modules/@scope/one");
  mkdirSync(one, { recursive: true });
  writeFileSync(
    join(one, "package.json"),
    JSON.stringify({ name: "@scope/one", version: "1.2.3", license, author: "Ann" }),
  );
  writeFileSync(join(one, file ?? ""), text ?? "");
  const inputs = {
    [join(one, "index.js")]: { bytesInOutput: 7 },
    [join(folder, "node_modules/two/index.js")]: { bytesInOutput: 0 },
    "dist/own.js": { bytesInOutput: 9 },
  };
  const write = () =>
    writeThirdParty(folder, { outputs: { "out.js": { inputs } } }, { name: "own", version: "0.1.0" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, write, read };
}

it("names each package with its license and its text", () => {
  const { folder, write, read } = bundle("MIT");
  write();
  expect(read("THIRD-PARTY-NOTICES.txt")).toContain("@scope/one 1.2.3 (MIT)\n\nCopyright by somebody");
  const { bomFormat, components } = JSON.parse(read("sbom.cdx.json")) as {
    bomFormat: string;
    components: object[];
  };
  expect([bomFormat, components]).toEqual([
    "CycloneDX",
    [
      expect.objectContaining({
        purl: "pkg:npm/%40scope/one@1.2.3",
        licenses: [{ license: { id: "MIT" } }],
      }),
    ],
  ]);
  expect(() => requireThirdParty(folder)).not.toThrow();
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "");
  expect(() => requireThirdParty(folder)).toThrow("no notice of @scope/one");
});

it("refuses a package without a license", () => {
  expect(() => bundle(undefined).write()).toThrow("names no license");
});

it.each([
  ["LICENCE.txt", "Copyright by Cleo", "Copyright by Cleo"],
  [
    "README.md",
    "# one\n\n## License\n\nCopyright by Bob, WITHOUT WARRANTY",
    "Copyright by Bob, WITHOUT WARRANTY",
  ],
  ["README.md", "# one\n\nLicense\n-------\n\nMIT", "Copyright (c) Ann\nPermission is hereby granted"],
  ["index.js", "", "Copyright (c) Ann\nPermission is hereby granted"],
])("finds the license of a package in %s", (file, text, expected) => {
  const { write, read } = bundle("MIT", [file, text]);
  write();
  expect(read("THIRD-PARTY-NOTICES.txt")).toContain(`@scope/one 1.2.3 (MIT)\n\n${expected}`);
});

it("refuses a package that only names another license than MIT", () => {
  expect(() => bundle("Apache-2.0", ["index.js", ""]).write()).toThrow("ships no text of its license");
});
