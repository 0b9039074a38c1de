/**
 * Tests a release that npm itself packs and installs into empty folders that use it. A nightly run packs a fresh clone without a build,
 * which takes a minute; others pack the build that is there.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import {
  connected,
  emulatorForTests,
  installedPulumi,
  isolated,
  repository,
  temporaryFolder,
} from "./support.js";

/** Copies the current files that Git tracks, and links the node modules of this clone. */
async function freshClone(): Promise<string> {
  const folder = temporaryFolder();
  const { stdout } = await execa("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: repository,
  });
  for (const file of stdout.split("\n").filter((name) => !name.startsWith("test/")))
    cpSync(join(repository, file), join(folder, file));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Creates an empty folder with some packages of the release installed. */
async function installed(...tarballs: string[]): Promise<string> {
  const project = temporaryFolder();
  mkdirSync(join(project, "vendor"));
  const files = tarballs.map((tarball) => `./vendor/${tarball.split("/").at(-1)}`);
  for (const [index, file] of files.entries()) cpSync(tarballs[index]!, join(project, file));
  await execa("npm", ["init", "--yes"], { cwd: project });
  const install = ["install", "--save-exact", "--no-audit", "--no-fund", "--prefer-offline"];
  await execa("npm", [...install, ...files], { cwd: project });
  return project;
}

async function imports(project: string, name: string): Promise<void> {
  const text = `import * as all from ${JSON.stringify(name)}; console.log(Object.keys(all).length > 0);`;
  writeFileSync(join(project, "try.mjs"), text);
  expect([name, (await execa("node", ["try.mjs"], { cwd: project })).stdout]).toEqual([name, "true"]);
}

describe("the packed release", { timeout: 600_000 }, () => {
  let release: string[];
  const tarball = (name: string) =>
    release.find((file) => new RegExp(`/${name}-\\d`).test(file)) ?? expect.fail(`no package ${name}`);

  beforeAll(async () => {
    const to = temporaryFolder();
    const pack = ["pack", "--workspaces", "--silent", "--pack-destination", to];
    const [argv, cwd] = tellsAllStories
      ? [pack, await freshClone()]
      : [[...pack, "--ignore-scripts"], repository];
    // With --silent, npm prints only the names of the packed files to standard output.
    const { stdout } = await execa("npm", argv, { cwd });
    release = stdout.split("\n").map((name) => join(to, name));
  }, 600_000);

  it("has three packages, and cannot be packed as a whole", async () => {
    expect(release.map((file) => file.replace(/.*\/(.*)-\d.*/, "$1")).toSorted()).toEqual([
      "pulumi-workspace-automation",
      "workspace-automation-emulator",
      "workspacectl",
    ]);
    const { exitCode, stderr } = await execa("npm", ["pack", "--dry-run"], {
      cwd: repository,
      reject: false,
    });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("npm pack --workspaces");
  });

  it("has a library that works without the command, and for programs with Pulumi's SDK", async () => {
    const project = await installed(tarball("pulumi-workspace-automation"));
    for (const entry of ["client", "provider"])
      await imports(project, `pulumi-workspace-automation/${entry}`);
    const lock = () => readFileSync(join(project, "package-lock.json"), "utf8");
    expect(lock()).not.toMatch(/"node_modules\/(fastify|@pulumi\/pulumi)"/);
    const sdk = readFileSync(join(repository, "node_modules/@pulumi/pulumi/package.json"), "utf8");
    const { version } = JSON.parse(sdk) as { version: string };
    const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", `@pulumi/pulumi@${version}`];
    await execa("npm", install, { cwd: project });
    await imports(project, "pulumi-workspace-automation");
  });

  it("has an emulator that works without the other packages", async () => {
    const project = await installed(tarball("workspace-automation-emulator"));
    await imports(project, "workspace-automation-emulator");
    expect(readFileSync(join(project, "package-lock.json"), "utf8")).not.toMatch(/"node_modules\/@pulumi/);
  });

  describe("installed as a whole", () => {
    let project: string;
    const ctl = (...argv: string[]) =>
      execa("npx", ["--no-install", "workspacectl", ...argv], { cwd: project });
    beforeAll(async () => {
      project = await installed(...release);
    }, 600_000);

    it("contains nothing of Pulumi's SDK", () => {
      const lock = readFileSync(join(project, "package-lock.json"), "utf8");
      expect(lock).not.toMatch(/"node_modules\/(@pulumi|@grpc|google-protobuf)/);
    });

    it("runs as a command", async () => {
      const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
        version: string;
      };
      expect((await ctl("--version")).stdout).toBe(version);
      const quickstart = "node_modules/workspacectl/examples/quickstart/workspace.yaml";
      expect((await ctl("validate", "--offline", "-f", quickstart)).stdout).toContain("is valid");
      expect((await ctl("lint", "-f", quickstart)).stdout).toContain("no problems");
    });

    it("runs dynamic providers only with Pulumi's release or SDK, which doctor says", async () => {
      const cli = join(temporaryFolder(), "pulumi");
      writeFileSync(cli, "#!/bin/sh\necho v3.300.0\n", { mode: 0o755 });
      const { stdout } = await execa("npx", ["--no-install", "workspacectl", "doctor", "--json"], {
        ...{ cwd: project, reject: false },
        env: { PULUMI_BIN: cli, PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) },
      });
      const { findings } = JSON.parse(stdout) as { findings: { name: string }[] };
      expect(findings.find(({ name }) => name === "dynamic provider host")).toMatchObject({
        status: "warning",
        found: expect.stringContaining("workspace files do not") as string,
        remedy: expect.stringContaining("@pulumi/pulumi") as string,
      });
    });

    it("finds the schemas of the library, and the path of the command for shell completion", async () => {
      const schema = join(
        project,
        "node_modules/pulumi-workspace-automation/schema/workspace.draft-07.schema.json",
      );
      expect((await ctl("schema", "--draft", "07")).stdout).toBe(readFileSync(schema, "utf8").trimEnd());
      const script = (await ctl("completion", "bash")).stdout;
      const [, file = ""] = /(\/[^' "]*\/workspacectl\/[^' "]*\.js)/.exec(script) ?? [];
      expect((await execa("node", [file, "--version"])).exitCode).toBe(0);
    });

    it("runs the operations for programs: the example asks, applies, reports drift, and tests its file", async () => {
      const emulator = await emulatorForTests();
      const example = join(project, "automation");
      cpSync(join(project, "node_modules/workspacectl/examples/automation"), example, { recursive: true });
      symlinkSync(join(repository, "node_modules/vitest"), join(project, "node_modules/vitest"), "dir");
      const env = isolated(example, { ...connected(emulator), ...installedPulumi() });
      const options = { cwd: example, env, extendEnv: false, reject: false } as const;
      const deliver = (input: string) => execa("node", ["deliver.js"], { ...options, input });
      expect(await deliver("no\n")).toMatchObject({ exitCode: 4, stdout: "" });
      const { exitCode, stdout, stderr } = await deliver("deliver\n");
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("create groups/Developers")]);
      expect(JSON.parse(stdout)).toEqual({ result: "clean", findings: [] });
      const tested = await execa("node", ["../node_modules/vitest/vitest.mjs", "run"], options);
      expect([tested.exitCode, tested.stderr]).toEqual([0, ""]);
    });

    it.runIf(tellsAllStories)("has types for programs that need nothing else", async () => {
      const program = join(project, "program.mts");
      writeFileSync(
        program,
        `import { openWorkspace, AutomationError, type DriftReport } from "workspacectl";
         const drift: DriftReport = await openWorkspace({ file: "a.yaml" }).drift({ failOn: ["changed"] });
         const classes: ("deleted" | "changed" | "added" | "pending" | "unverifiable")[] = drift.findings.map((one) => one.class);
         export const code: string = new AutomationError("m", String(classes), { code: "c" }).code;`,
      );
      const tsc = join(repository, "node_modules/typescript/bin/tsc");
      const strict = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--target", "es2022"];
      const types = ["--types", "node", "--typeRoots", join(repository, "node_modules/@types")];
      const argv = [tsc, ...strict, "--module", "nodenext", ...types, program];
      expect((await execa("node", argv, { cwd: project, reject: false })).stdout).toBe("");
    });

    it("starts the emulator", async () => {
      // Is not started by npx, which would not forward the signal.
      const bin = join(project, "node_modules/workspacectl/bin.js");
      const emulator = execa("node", [bin, "emulator", "--port", "0", "--json"]);
      const line = await emulator[Symbol.asyncIterator]().next();
      expect(JSON.parse(String(line.value))).toMatchObject({ workspace: "acme" });
      emulator.kill("SIGTERM");
      expect((await emulator).exitCode).toBe(0);
    });

    it("creates projects that npm installs from the same file, and not from a registry", async () => {
      await ctl("init", "infrastructure", "--yes", "--pulumi", "--workspace", "acme");
      const manifest = readFileSync(join(project, "infrastructure/package.json"), "utf8");
      expect(JSON.parse(manifest)).toMatchObject({
        dependencies: {
          "@pulumi/pulumi": expect.stringMatching(/^\^3\./) as string,
          "pulumi-workspace-automation": expect.stringMatching(/^file:\.\.\/vendor\/.*\.tgz$/) as string,
        },
      });
    });
  });
});
