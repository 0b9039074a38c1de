/** Checks the dependencies of the three npm packages. */
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { findProgramPackages } from "../../automation/config-files/package-source.js";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8")) as unknown;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

interface Locked {
  readonly link?: true;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest = (name: string) => read(`packages/${name}/package.json`) as Manifest;
const packages = ["library", "workspacectl", "emulator"].map((name) => [name, manifest(name)] as const);
const { packages: locked } = read("package-lock.json") as { packages: Readonly<Record<string, Locked>> };

/**
 * Finds the installed location of a dependency of the package at `from`: as in Node.js, the closest folder
 * counts.
 */
function placed(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, "")) {
    const path = `${folder}${folder === "" ? "" : "/"}node_modules/${name}`;
    const found = locked[path];
    if (found !== undefined) return found.link ? found.resolved : path;
    if (folder === "") return undefined;
  }
}

/** Returns all packages that are installed together with these packages. */
function installedWith(...places: string[]): Set<string> {
  const all = new Set(places);
  // Iteration over a set includes items that are added meanwhile.
  for (const place of all) {
    const { dependencies, optionalDependencies } = locked[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placed(place, name);
      if (found !== undefined) all.add(found);
    }
  }
  return all;
}

describe("the dependencies of a package", () => {
  it.each([
    ["library", 25],
    ["emulator", 120],
    ["workspacectl", 190],
  ])("of %s are few, and none is Pulumi's SDK or of its dependencies", (name, most) => {
    const all = [...installedWith(`packages/${name}`)].slice(1);
    expect(all.length, all.join(", ")).toBeLessThanOrEqual(most);
    expect(all.filter((place) => /@pulumi\/|@grpc\/|protobuf|opentelemetry/.test(place))).toEqual([]);
  });

  it("of programs include Pulumi's SDK in the versions that the library works with", () => {
    const { peerDependencies, peerDependenciesMeta } = manifest("library");
    expect(peerDependenciesMeta?.["@pulumi/pulumi"]).toEqual({ optional: true });
    const inExamples = globSync("examples/**/package.json", { ignore: ["**/node_modules/**"], cwd: root });
    expect(inExamples.length).toBeGreaterThan(3);
    const programs = [findProgramPackages(root), ...inExamples.map((file) => read(file) as Manifest)].flatMap(
      ({ dependencies }) => dependencies["@pulumi/pulumi"] ?? [],
    );
    expect(new Set(programs)).toEqual(new Set([peerDependencies?.["@pulumi/pulumi"]]));
  });

  it("of the command include the other packages", () => {
    const all = installedWith("packages/workspacectl");
    expect([all.has("packages/library"), all.has("packages/emulator")]).toEqual([true, true]);
  });
});

describe("a release", () => {
  it("has one version for all packages", () => {
    const { version } = read("package.json") as Manifest;
    expect(packages.map(([name, one]) => [name, one.version])).toEqual(
      packages.map(([name]) => [name, version]),
    );
    expect(manifest("workspacectl").dependencies).toMatchObject({
      "pulumi-workspace-automation": version,
      "workspace-automation-emulator": version,
    });
  });

  it("has the same version range for a common dependency", () => {
    const ranges: Record<string, Set<string>> = {};
    for (const [, { dependencies, devDependencies, peerDependencies }] of packages)
      for (const [name, range] of Object.entries({
        ...peerDependencies,
        ...devDependencies,
        ...dependencies,
      }))
        (ranges[name] ??= new Set()).add(range);
    expect(Object.entries(ranges).filter(([, { size }]) => size > 1)).toEqual([]);
  });

  // The imports of the command are checked when it is bundled.
  it.each(["library", "emulator"])("declares all packages that the %s imports", async (name) => {
    const { dependencies, peerDependencies = {}, exports } = manifest(name);
    const entries = Object.values(exports).flatMap((entry) =>
      typeof entry === "string" ? [] : [entry.default],
    );
    const { metafile } = await build({
      entryPoints: entries.map((path) => join(root, "packages", name, path)),
      ...{ bundle: true, packages: "external", platform: "node", format: "esm" },
      ...{ write: false, metafile: true, outdir: "none" },
    });
    const files = Object.entries(metafile.inputs).map(([file, { imports }]) => ({
      file,
      imports,
      packages: imports
        .filter(({ external, path }) => external && !isBuiltin(path))
        .flatMap(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
    }));
    const needed = new Set(files.flatMap(({ packages }) => packages));
    expect(needed.size).toBeGreaterThan(0);
    expect([...needed].filter((one) => !(one in dependencies) && !(one in peerDependencies))).toEqual([]);
    // Whoever has not installed a peer dependency must not load a file that imports it. Programs have Pulumi's SDK.
    const loadedAlways = new Set(
      files.flatMap(({ imports }) =>
        imports.flatMap(({ kind, path }) => (kind === "dynamic-import" ? [] : [path])),
      ),
    );
    const ofPeers = files.filter(
      ({ file, packages }) =>
        !file.startsWith("packages/library/dist/sdk/") && packages.some((one) => one in peerDependencies),
    );
    expect(ofPeers.filter(({ file }) => loadedAlways.has(file)).map(({ file }) => file)).toEqual([]);
  });
});

it("each file of the library imports only files and packages that are installed with it", () => {
  const folder = join(root, "packages/library/dist");
  const { dependencies, peerDependencies } = manifest("library");
  const known = new Set([
    ...Object.keys({ ...dependencies, ...peerDependencies }),
    "pulumi-workspace-automation",
  ]);
  const imports = globSync("**/*.{js,d.ts}", { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/^(?:import|export) .*from "([^"]+)";$/gm)].map(
      ([, path = ""]) => ({ file, path }),
    ),
  );
  expect(imports.length).toBeGreaterThan(1000);
  const missing = imports.filter(({ file, path }) =>
    path.startsWith(".")
      ? !existsSync(join(folder, dirname(file), path))
      : !isBuiltin(path) && !known.has(/^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ""),
  );
  expect(missing).toEqual([]);
});

it("the examples of the command's package name nothing of the repository", () => {
  const examples = join(root, "packages/workspacectl/examples");
  const texts = globSync("**/package.json", { cwd: examples }).map((name) =>
    readFileSync(join(examples, name), "utf8"),
  );
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter((text) => text.includes("packages/"))).toEqual([]);
});

it("each part of the command that is loaded on demand has the names that are taken from it", () => {
  // Of a CommonJS package that is loaded on demand, a bundle has the default export only.
  const folder = join(root, "dist/bin");
  const texts = globSync("*.js", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
  const taken = texts.flatMap((text) =>
    [...text.matchAll(/\{([^{}]*)\}=await import\("\.\/([^"]+)"\)/g)].map(([, names = "", part = ""]) => ({
      part,
      names: names.split(",").map((name) => name.replace(/:.*/, "")),
    })),
  );
  expect(taken.length).toBeGreaterThan(5);
  const missing = taken.flatMap(({ part, names }) => {
    const text = readFileSync(join(folder, part), "utf8");
    const [, exported = ""] = /export\{([^{}]*)\};?\s*$/.exec(text) ?? [];
    const known = exported.split(",").map((name) => name.replace(/^.* as /, ""));
    if (text.includes("export default ")) known.push("default");
    return names.filter((name) => !known.includes(name)).map((name) => `${part}: ${name}`);
  });
  expect(missing).toEqual([]);
});
