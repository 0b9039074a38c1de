/** A release, made and installed by npm itself: from a fresh clone without a build to an empty folder that uses it. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { repository, temporaryFolder } from "./support.js";

/** The files that Git has, as they are now, and the node modules of this clone. */
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

describe("the packed release", { timeout: 300_000 }, () => {
  const project = temporaryFolder();
  const ctl = (...argv: string[]) =>
    execa("npx", ["--no-install", "workspacectl", ...argv], { cwd: project });

  beforeAll(async () => {
    const clone = await freshClone();
    // `npm pack --silent` prints the name of what it wrote, and nothing else, on stdout.
    const { stdout } = await execa("npm", ["pack", "--silent"], { cwd: clone });
    const vendor = join(project, "vendor");
    mkdirSync(vendor);
    cpSync(join(clone, stdout), join(vendor, stdout));
    await execa("npm", ["init", "--yes"], { cwd: project });
    const install = ["install", "--save-exact", "--no-audit", "--no-fund", "--prefer-offline"];
    await execa("npm", [...install, `./vendor/${stdout}`], { cwd: project });
  }, 300_000);

  it("runs as a command", async () => {
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
      version: string;
    };
    expect((await ctl("--version")).stdout).toBe(version);
    const quickstart = "node_modules/pulumi-workspace-automation/examples/quickstart/workspace.yaml";
    expect((await ctl("validate", "--offline", "-f", quickstart)).stdout).toContain("is valid");
  });

  it.each(["", "/client", "/provider", "/emulator", "/schema"])("can be imported: %s", async (entry) => {
    const text = `import * as all from "pulumi-workspace-automation${entry}"; console.log(Object.keys(all).length > 0);`;
    writeFileSync(join(project, "try.mjs"), text);
    expect((await execa("node", ["try.mjs"], { cwd: project })).stdout).toBe("true");
  });

  it("writes projects that npm installs from the same file, and from no registry", async () => {
    await ctl("init", "infrastructure", "--yes", "--pulumi", "--workspace", "acme");
    const manifest = readFileSync(join(project, "infrastructure/package.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({
      dependencies: {
        "pulumi-workspace-automation": expect.stringMatching(/^file:\.\.\/vendor\/.*\.tgz$/) as string,
      },
    });
  });
});
