/** Tests the folder of links for NODE_PATH. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { buildToolchainEnvironment, linkModules } from "../../toolchain/index.js";
import { findLibraryRoot } from "../../toolchain/locations.js";
import { emptyMachine } from "./fakes.js";

/** Creates a package of our name with an `exports` map and its own @pulumi/pulumi. */
async function fakePackage(root: string) {
  const files = {
    "package.json": `{"name":"pulumi-workspace-automation","type":"module","exports":{"./provider":{"default":"./dist/p.js"}}}`,
    "dist/p.js": `import { name } from "inner"; export const get = () => name;`,
    "node_modules/inner/package.json": `{"name":"inner","main":"i.js"}`,
    "node_modules/inner/i.js": `exports.name = "the provider";`,
    "node_modules/@pulumi/pulumi/package.json": `{"name":"@pulumi/pulumi"}`,
    "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js": "",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** Does in an empty folder what Pulumi's provider process does. */
const resolveIt = `
  const require = process.getBuiltinModule("module").createRequire(process.cwd() + "/");
  console.log(require("pulumi-workspace-automation/provider").get());
  console.log(require.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
`;

describe("the folder for NODE_PATH", () => {
  it("lets the provider process find the package and its exports from any folder", async () => {
    const { folder, env } = emptyMachine();
    const root = await fakePackage(join(folder, "package"));
    await mkdir(join(folder, "empty"));
    const NODE_PATH = await linkModules(root, env);
    const { stdout } = await execa(process.execPath, ["-e", resolveIt], {
      cwd: join(folder, "empty"),
      env: { NODE_PATH },
    });
    expect(stdout.split("\n")).toEqual([
      "the provider",
      join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js"),
    ]);
  });

  it("is created once, even concurrently, and contains nothing else", async () => {
    const { folder, env } = emptyMachine();
    const root = await fakePackage(join(folder, "package"));
    const made = await Promise.all(Array.from({ length: 10 }, () => linkModules(root, env)));
    expect(new Set(made).size).toBe(1);
    const modules = made[0]!;
    expect(readdirSync(modules).sort()).toEqual(["@pulumi", "pulumi-workspace-automation"]);
    expect(readdirSync(join(modules, "@pulumi"))).toEqual(["pulumi"]);
    const before = lstatSync(join(modules, "pulumi-workspace-automation")).ino;
    await linkModules(root, env);
    expect(lstatSync(join(modules, "pulumi-workspace-automation")).ino).toBe(before);
  });

  it("contains no SDK of Pulumi's if none is installed, nor a link to an earlier one", async () => {
    const { folder, env } = emptyMachine();
    const root = await fakePackage(join(folder, "package"));
    await rm(join(root, "node_modules/@pulumi"), { recursive: true });
    const modules = await linkModules(root, env);
    expect(readdirSync(modules)).toEqual(["pulumi-workspace-automation"]);
    await mkdir(join(modules, "@pulumi"));
    await symlink(join(root, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
    await linkModules(root, env);
    expect(readdirSync(join(modules, "@pulumi"))).toEqual([]);
  });

  it("replaces a link with a wrong or missing target", async () => {
    const { folder, env } = emptyMachine();
    const root = await fakePackage(join(folder, "package"));
    const link = join(await linkModules(root, env), "@pulumi/pulumi");
    for (const wrong of [folder, join(folder, "gone")]) {
      await rm(link);
      await symlink(wrong, link);
      await linkModules(root, env);
      expect(realpathSync(link)).toBe(join(root, "node_modules/@pulumi/pulumi"));
    }
  });
});

describe("the environment of Pulumi", () => {
  it("puts the toolchain first on PATH and preserves the rest", async () => {
    const { env } = emptyMachine();
    const given = { ...env, PATH: `${process.env["PATH"]}`, NODE_PATH: "/other/modules" };
    const made = await buildToolchainEnvironment({ binDir: "/tool/bin" }, given);
    expect(made.PATH.split(":")).toEqual(["/tool/bin", ...new Set(given.PATH.split(":"))]);
    expect(made.NODE_PATH).toBe(`${await linkModules(findLibraryRoot(), env)}:/other/modules`);
    expect(await buildToolchainEnvironment({ binDir: "/tool/bin" }, { ...given, ...made })).toEqual(made);
  });

  it("adds the running node if PATH has none", async () => {
    const { env } = emptyMachine();
    const { PATH } = await buildToolchainEnvironment({ binDir: "/tool/bin" }, env);
    expect(PATH.split(":").at(-1)).toBe(join(process.execPath, ".."));
  });
});
