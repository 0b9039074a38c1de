// Lists the packages whose code a bundle contains, by the bundler's own record, and writes their licenses (THIRD-PARTY-NOTICES.txt)
// and a list for machines (sbom.cdx.json, CycloneDX 1.6) next to it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NOTICES = "THIRD-PARTY-NOTICES.txt";
const SBOM = "sbom.cdx.json";
/** What a bundle ships besides its code. */
export const bundleFiles = [NOTICES, SBOM];

/** Files of a package that have to be passed on. */
const legal = /^(li[a-z]+se|copying|notice)([.-].*)?$/i;

/** Returns the folders of the packages of which code is in the outputs. */
function listPackages({ outputs }) {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const folders = paths.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(folders)].sort();
}

/** Reads what a package says of its license. Throws when it says nothing, because nobody may ship it then. */
function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${folder} names no license, so it cannot be bundled`);
  const files = readdirSync(folder).filter((file) => legal.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return { name, version, license, texts };
}

/** Writes both files of a bundle. */
export function writeThirdParty(folder, metafile, of) {
  const found = listPackages(metafile).map(readPackage);
  const packages = [...new Map(found.map((one) => [`${one.name}@${one.version}`, one])).values()];
  const notices = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, "", ...texts].join("\n"),
  );
  const line = `\n\n${"-".repeat(80)}\n\n`;
  const head = `The bundle of ${of.name} ${of.version} contains code of these packages.`;
  writeFileSync(join(folder, NOTICES), `${[head, ...notices].join(line)}\n`);
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

/** Throws unless a package ships the licenses and the list of its bundle, and both name the same packages. */
export function requireThirdParty(folder) {
  const notices = readFileSync(join(folder, NOTICES), "utf8");
  const { components } = JSON.parse(readFileSync(join(folder, SBOM), "utf8"));
  const lacking = components.filter(({ name, version }) => !notices.includes(`\n${name} ${version} (`));
  if (components.length === 0 || lacking.length > 0)
    throw new Error(
      `${folder} has no notice of ${lacking.map(({ name }) => name).join(", ") || "any package"}`,
    );
}
