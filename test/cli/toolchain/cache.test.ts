import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeEntry, readEntry, type Manifest } from "../../../cli/toolchain/cache.js";
import { ensurePulumi } from "../../../cli/toolchain/index.js";
import { cacheFolders, executables } from "../../../cli/toolchain/locations.js";
import { PULUMI_VERSION } from "../../../cli/toolchain/versions.js";
import { emptyMachine, executable, fakeMachinery, temporaryFolder } from "./fakes.js";

const fill = async (root: string) => {
  await executable(join(root, "bin/tool"), "tool");
  return "1.0.0";
};

describe("a cache entry", () => {
  it("appears only when it is complete", async () => {
    const base = temporaryFolder();
    const folder = join(base, "entry");
    await makeEntry(folder, "build", async (root) => {
      expect(existsSync(folder)).toBe(false);
      return await fill(root);
    });
    expect(await readEntry(folder, ["tool"])).toMatchObject({
      version: "1.0.0",
      madeBy: "build",
      files: { tool: 4 },
    });
    expect(readdirSync(base)).toEqual(["entry"]);
  });

  it("is not created by a failing step, which leaves no files", async () => {
    const base = temporaryFolder();
    const failing = makeEntry(join(base, "entry"), "build", async (root) => {
      await fill(root);
      throw new Error("out of luck");
    });
    await expect(failing).rejects.toThrow("out of luck");
    expect(readdirSync(base)).toEqual([]);
  });

  it("is rebuilt if a file is missing, truncated or not executable, or the manifest is invalid", async () => {
    const damages: ((folder: string) => Promise<unknown>)[] = [
      (folder) => rm(join(folder, "bin/tool")),
      (folder) => writeFile(join(folder, "bin/tool"), "to"),
      (folder) => rm(join(folder, "bin/tool")).then(() => writeFile(join(folder, "bin/tool"), "tool")),
      (folder) => rm(join(folder, "manifest.json")),
      (folder) => writeFile(join(folder, "manifest.json"), '{"format": 1, "ver'),
      (folder) => writeFile(join(folder, "manifest.json"), "{}"),
    ];
    for (const damage of damages) {
      const folder = join(temporaryFolder(), "entry");
      await makeEntry(folder, "build", fill);
      await damage(folder);
      expect(await readEntry(folder, ["tool"])).toBeUndefined();
      await makeEntry(folder, "installer", fill);
      expect(await readEntry(folder, ["tool"])).toMatchObject({ madeBy: "installer" });
    }
  });

  it("is rejected if a file has other contents of the same size", async () => {
    const folder = join(temporaryFolder(), "entry");
    await makeEntry(folder, "build", fill);
    const tool = join(folder, "bin/tool");
    const { atime, mtime } = await stat(tool);
    await writeFile(tool, "evil");
    // Keeps the times, as if the file had not been changed.
    await utimes(tool, atime, mtime);
    expect(await readEntry(folder, ["tool"])).toBeUndefined();
  });

  it("is accepted if a file was touched or copied, and its contents are not read again", async () => {
    const folder = join(temporaryFolder(), "entry");
    await makeEntry(folder, "build", fill);
    await utimes(join(folder, "bin/tool"), 1, 1);
    const renewed = await readEntry(folder, ["tool"]);
    expect(renewed?.contents).toHaveProperty("tool.seen");
    expect(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"))).toEqual(renewed);
    const { mtimeMs } = await stat(join(folder, "manifest.json"));
    expect(await readEntry(folder, ["tool"])).toEqual(renewed);
    expect((await stat(join(folder, "manifest.json"))).mtimeMs).toBe(mtimeMs);
  });

  it("of an earlier release, which recorded sizes only, is accepted and completed with its contents", async () => {
    const folder = join(temporaryFolder(), "entry");
    await makeEntry(folder, "build", fill);
    const manifest = join(folder, "manifest.json");
    const { contents, ...earlier } = JSON.parse(await readFile(manifest, "utf8")) as Manifest;
    await writeFile(manifest, JSON.stringify(earlier));
    expect((await readEntry(folder, ["tool"]))?.contents).toEqual(contents);
    await writeFile(join(folder, "bin/tool"), "evil");
    expect(await readEntry(folder, ["tool"])).toBeUndefined();
  });

  it("is rebuilt if a killed process left half an entry and its lock", async () => {
    const { env } = emptyMachine();
    const { base, cli } = cacheFolders(env);
    // Simulates a kill -9: the folder of a dead process (no pid is that high) and a lock that is not refreshed.
    const leftover = join(base, `.tmp-${cli.slice(base.length + 1)}-99999999-abc`);
    await executable(join(leftover, "bin", executables.cli), "half");
    await executable(join(cli, "bin", executables.cli), "half");
    await mkdir(`${cli}.lock`);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${cli}.lock`, longAgo, longAgo);
    const { machinery, calls } = fakeMachinery();
    const found = await ensurePulumi({ env, machinery });
    expect(found).toMatchObject({ source: "installer", version: PULUMI_VERSION });
    expect(calls).toEqual(["install"]);
    expect(readdirSync(base)).toEqual([cli.slice(base.length + 1)]);
  });
});
