// Lists the packages whose code a bundle contains, by the bundler's own record, and writes their licenses (THIRD-PARTY-NOTICES.txt)
// and a list for machines (sbom.cdx.json, CycloneDX 1.6) next to it.
// cspell:ignore licence
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NOTICES = "THIRD-PARTY-NOTICES.txt";
const SBOM = "sbom.cdx.json";
/** What a bundle ships besides its code. */
export const bundleFiles = [NOTICES, SBOM];

/** Between the notices of two packages. */
const LINE = `\n\n${"-".repeat(80)}\n\n`;

/** Files of a package that have to be passed on. */
const legal = /^(license|licence|copying|notice)([.-].*)?$/i;

/** Returns the folders of the packages of which code is in the outputs. */
function listPackages({ outputs }) {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = paths.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** What the MIT license asks to be passed on, for packages that only name it. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Reads what a package says of its license. Throws when it says nothing, because nobody may ship it then. */
function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${folder} names no license, so it cannot be bundled`);
  const files = readdirSync(folder);
  const texts = files.filter((file) => legal.test(file)).sort();
  const found = texts.map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (found.length > 0) return { name, version, license, texts: found };
  const readme = files.find((file) => /^readme(\.|$)/i.test(file));
  const section = readme === undefined ? undefined : findLicense(readFileSync(join(folder, readme), "utf8"));
  if (section !== undefined) return { name, version, license, texts: [section] };
  if (license !== "MIT") throw new Error(`${folder} ships no text of its license ${license}`);
  const holder = typeof author === "string" ? author : (author?.name ?? `the authors of ${name}`);
  return { name, version, license, texts: [`Copyright (c) ${holder}`, MIT] };
}

/** Returns the license at the end of a page about a package, if it is all there. */
function findLicense(page) {
  const [, section] = /^#*[ \t]*(?:license|licence)[ \t]*\n([^]*)$/im.exec(page) ?? [];
  return section?.includes("WITHOUT WARRANTY") ? section.replace(/^[-=]+\n/, "").trim() : undefined;
}

/** Writes both files of a bundle. */
export function writeThirdParty(folder, metafile, of) {
  const found = listPackages(metafile).map(readPackage);
  const packages = [...new Map(found.map((one) => [`${one.name}@${one.version}`, one])).values()];
  const notices = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, "", ...texts].join("\n"),
  );
  const head = `The bundle of ${of.name} ${of.version} contains code of these packages.`;
  writeFileSync(join(folder, NOTICES), `${[head, ...notices].join(LINE)}\n`);
  const components = packages.map(({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
    return { type: "library", "bom-ref": purl, name, version, licenses, purl };
  });
  const component = { type: "application", name: of.name, version: of.version };
  const sbom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components,
  };
  writeFileSync(join(folder, SBOM), `${JSON.stringify(sbom, null, 2)}\n`);
}

/** Throws unless a package ships the licenses and the list of its bundle, and both name the same packages, each once. */
export function requireThirdParty(folder) {
  const [, ...notices] = readFileSync(join(folder, NOTICES), "utf8").split(LINE);
  const { components } = JSON.parse(readFileSync(join(folder, SBOM), "utf8"));
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  const noticed = notices.map((notice) => notice.split(" (", 1)[0].trim());
  const empty = notices.filter((notice) => notice.trim().split("\n").length < 2);
  const lacking = [
    ...listed.filter((one, index) => !noticed.includes(one) || listed.indexOf(one) !== index),
    ...noticed.filter((one) => !listed.includes(one)),
    ...empty.map((notice) => notice.trim()),
  ];
  if (listed.length === 0 || lacking.length > 0)
    throw new Error(
      `${folder} has no notice of ${lacking.join(", ") || "any package"}, or no entry in ${SBOM}`,
    );
}
