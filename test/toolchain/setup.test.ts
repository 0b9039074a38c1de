/** Tests `npm test` and `npm run demo` of a clone. */
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { findPackageRoot } from "../../toolchain/locations.js";
import { executable, temporaryFolder } from "./fakes.js";

/** Replaces dist/toolchain after the fake build. */
const fakeToolchain = `
export const createProgressPrinter = () => () => {};
export const ensurePulumi = async () => ({ version: "3.259.0", binDir: "/tool/bin" });
`;

/** Creates a clone with the real set-up scripts and a fake npm that logs its calls. */
async function clone() {
  const root = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  cpSync(join(findPackageRoot(), "scripts"), join(root, "scripts"), { recursive: true });
  for (const name of ["package.json", "tsconfig.json"]) write(name, "{}");
  write("tsconfig.build.json", '{ "include": ["client"] }');
  const lock = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b": { version: "1", optional: true },
    },
  };
  write("package-lock.json", JSON.stringify(lock));
  write("client/index.ts", "");
  const installed = JSON.stringify({ packages: { "node_modules/a": { version: "1.0.0" } } });
  const npm = await executable(
    join(root, "npm.cjs"),
    `const fs = require("node:fs"), [task, ...rest] = process.argv.slice(2);
     fs.appendFileSync("npm.log", [task, ...rest].join(" ") + "\\n");
     if (fs.existsSync("npm-fails")) process.exit(7);
     const put = (path, text) => { fs.mkdirSync(require("node:path").dirname(path), { recursive: true }); fs.writeFileSync(path, text); };
     if (task === "ci") {
       put("node_modules/.package-lock.json", ${JSON.stringify(installed)});
       put("node_modules/vitest/vitest.mjs", "console.log(JSON.stringify([process.argv.slice(2), process.env.PULUMI_BIN, process.env.STORIES])); process.exit(5)");
     } else {
       put("dist/package.json", '{"type":"module"}');
       put("dist/toolchain/index.js", ${JSON.stringify(fakeToolchain)});
     }`,
  );
  const run = async (...args: string[]) => {
    writeFileSync(join(root, "npm.log"), "");
    const env = { npm_execpath: npm };
    const script = join(root, "scripts/setup.mjs");
    const result = await execa(process.execPath, [script, ...args], {
      cwd: root,
      env,
      reject: false,
      stdin: "ignore",
    });
    const log = await execa("cat", ["npm.log"], { cwd: root });
    return { ...result, asked: log.stdout.split("\n").filter((line) => line !== "") };
  };
  return { root, write, run };
}

const install = "ci --no-audit --no-fund --loglevel=error";
const build = "run --silent build";

describe.skipIf(process.platform === "win32")("the set-up", () => {
  it("installs, builds and runs the tests with their arguments, the toolchain and their exit code", async () => {
    const { run } = await clone();
    const { asked, stdout, stderr, exitCode } = await run("test", "test/client", "-t", "x");
    expect(asked).toEqual([install, build]);
    expect(JSON.parse(stdout)).toEqual([
      ["run", "--project=unit", "--project=e2e", "test/client", "-t", "x"],
      "/tool/bin",
      null,
    ]);
    expect(exitCode).toBe(5);
    const steps = stderr.split("\n").filter((line) => /\(\d+\.\d s\)$/.test(line));
    expect(steps.map((line) => line.replace(/ \(.*/, ""))).toEqual([
      `[1/4] Node.js: ${process.versions.node}`,
      "[2/4] node modules: installed",
      "[3/4] build: done",
      "[4/4] Pulumi: 3.259.0 at /tool/bin",
    ]);
  });

  it("runs the slow tests with --all, and the nightly ones and all stories with --nightly", async () => {
    const { run } = await clone();
    const all = await run("test", "--all", "--reporter=json");
    expect(JSON.parse(all.stdout)).toEqual([
      ["run", "--project=unit", "--project=e2e", "--project=long", "--reporter=json"],
      "/tool/bin",
      null,
    ]);
    const nightly = await run("test", "--nightly");
    expect(JSON.parse(nightly.stdout)).toEqual([
      ["run", "--project=nightly", "--project=long", "--project=e2e", "--project=unit"],
      "/tool/bin",
      "all",
    ]);
  });

  it("repeats only the steps that are out of date", async () => {
    const { root, write, run } = await clone();
    await run("prepare");
    expect((await run("prepare")).asked).toEqual([]);
    utimesSync(join(root, "client/index.ts"), new Date(), new Date());
    expect((await run("prepare")).asked).toEqual([build]);
    write("client/new.ts", "");
    expect((await run("prepare")).asked).toEqual([build]);
    rmSync(join(root, "client/new.ts"));
    expect((await run("prepare")).asked).toEqual([build]);
    rmSync(join(root, "node_modules/.package-lock.json"));
    expect((await run("prepare")).asked).toEqual([install]);
    write("package-lock.json", JSON.stringify({ packages: { "node_modules/a": { version: "2.0.0" } } }));
    const { asked, stderr } = await run("prepare");
    expect(asked[0]).toBe(install);
    expect(stderr).toContain("node_modules/a is not 2.0.0, as package-lock.json has it, running npm ci");
  });

  it("reports a remedy if a step fails", async () => {
    const { write, run } = await clone();
    write("npm-fails", "");
    const { stderr, exitCode } = await run("demo");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Setting up failed: \`npm ${install}\` failed with exit code 7`);
    expect(stderr).toMatch(/^Remedy: check that this machine reaches the package registry/m);
  });

  it("rejects an unknown command", async () => {
    const { stderr, exitCode } = await (await clone()).run("tset");
    expect(exitCode).toBe(1);
    expect(stderr).toContain('"tset" is none of demo, test, prepare, build.');
  });

  it("reports an old Node.js before it reads any newer syntax", async () => {
    const script = JSON.stringify(join(findPackageRoot(), "scripts/setup.mjs"));
    const pretend = `Object.defineProperty(process, "versions", { value: { node: "18.20.4" } }); import(${script});`;
    const { stderr, exitCode } = await execa(process.execPath, ["-e", pretend], { reject: false });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("This is Node.js 18.20.4");
    expect(stderr).toContain("Remedy: install a current Node.js");
  });
});
