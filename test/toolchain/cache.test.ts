/** Tests toolchain/cache.ts. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeEntry, readEntry } from "../../toolchain/cache.js";
import { ensurePulumi } from "../../toolchain/index.js";
import { executables, listCacheFolders } from "../../toolchain/locations.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { emptyMachine, executable, fakeMachinery } from "./fakes.js";

const fill = async (root: string) => {
  await executable(join(root, "bin/tool"), "tool");
  return { version: "1.0.0", checkedAgainst: "a list" };
};

/** Makes an entry in a cache of its own. */
async function made() {
  const { folder: base, env } = emptyMachine();
  const folder = join(base, "cache/entry");
  await mkdir(join(base, "cache"));
  const make = (by: "build" | "installer" = "build") => makeEntry(folder, by, fill, env);
  await make();
  return {
    base,
    env,
    folder,
    make,
    tool: join(folder, "bin/tool"),
    read: () => readEntry(folder, ["tool"], env),
  };
}

describe("a cache entry", () => {
  it("appears only when it is complete, and contains nothing but programs", async () => {
    const { folder: base, env } = emptyMachine();
    await mkdir(join(base, "cache"));
    const folder = join(base, "cache/entry");
    const seen: boolean[] = [];
    const fillSlowly = async (root: string) => {
      seen.push(existsSync(folder));
      return await fill(root);
    };
    await makeEntry(folder, "build", fillSlowly, env);
    expect(seen).toEqual([false]);
    expect(await readEntry(folder, ["tool"], env)).toMatchObject({
      version: "1.0.0",
      madeBy: "build",
      checkedAgainst: "a list",
    });
    expect(readdirSync(join(base, "cache"), { recursive: true }).sort()).toEqual([
      "entry",
      "entry/bin",
      "entry/bin/tool",
    ]);
  });

  it("is not created by a failing step, which leaves no files", async () => {
    const { folder: base, env } = emptyMachine();
    await mkdir(join(base, "cache"));
    const fillBadly = async (root: string) => {
      await fill(root);
      throw new Error("out of luck");
    };
    const failing = makeEntry(join(base, "cache/entry"), "build", fillBadly, env);
    await expect(failing).rejects.toThrow("out of luck");
    expect(readdirSync(join(base, "cache"))).toEqual([]);
  });

  it.each<[string, (entry: Awaited<ReturnType<typeof made>>) => Promise<unknown>]>([
    ["a file is missing", ({ tool }) => rm(tool)],
    ["a file is truncated", ({ tool }) => writeFile(tool, "to")],
    ["a file is not executable", ({ tool }) => chmod(tool, 0o644)],
    [
      "a file was added, which would be first on PATH",
      ({ folder }) => executable(join(folder, "bin/git"), "evil"),
    ],
    ["the digests are gone", ({ env }) => rm(env["WORKSPACECTL_DIGESTS"]!)],
    ["the digests are damaged", ({ env }) => writeFile(env["WORKSPACECTL_DIGESTS"]!, '{"format": 1, "entr')],
    [
      "the digests are of another format",
      ({ env }) => writeFile(env["WORKSPACECTL_DIGESTS"]!, '{"format": 2}'),
    ],
  ])("is made again if %s", async (_, damage) => {
    const entry = await made();
    await damage(entry);
    expect(await entry.read()).toBeUndefined();
    await entry.make("installer");
    expect(await entry.read()).toMatchObject({ madeBy: "installer" });
  });

  it("is rejected if a file has other contents of the same size and times", async () => {
    const { tool, read } = await made();
    const { atime, mtime } = await stat(tool);
    await writeFile(tool, "evil");
    await utimes(tool, atime, mtime);
    expect(await read()).toBeUndefined();
  });

  it("is accepted if a file was touched or copied, and its contents are not read again", async () => {
    const { env, tool, read } = await made();
    const digests = env["WORKSPACECTL_DIGESTS"]!;
    await utimes(tool, 1, 1);
    const renewed = await read();
    expect(renewed?.files).toHaveProperty("tool.state");
    const { mtimeMs } = await stat(digests);
    expect(await read()).toEqual(renewed);
    expect((await stat(digests)).mtimeMs).toBe(mtimeMs);
  });
});

describe("the digests of programs", () => {
  it("are readable by their user only, and not in the cache", async () => {
    const { base, env } = await made();
    const digests = env["WORKSPACECTL_DIGESTS"]!;
    expect((await stat(digests)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(digests))).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(base, "cache"), { recursive: true }).join()).not.toContain("json");
  });

  it("recognize the same programs in another folder, as when CI restores a cache", async () => {
    const { base, env, folder, read } = await made();
    const restored = join(base, "restored/entry");
    await cp(folder, restored, { recursive: true });
    await rm(folder, { recursive: true });
    expect(await readEntry(restored, ["tool"], env)).toMatchObject({ version: "1.0.0" });
    expect(await read()).toBeUndefined();
    const text = await readFile(env["WORKSPACECTL_DIGESTS"]!, "utf8");
    expect(Object.keys((JSON.parse(text) as { entries: object }).entries)).toEqual([restored]);
    await writeFile(join(restored, "bin/tool"), "evil");
    expect(await readEntry(restored, ["tool"], env)).toBeUndefined();
  });

  it("do not recognize a cache that brings digests of its own", async () => {
    const { base, env, folder } = await made();
    const hostile = join(base, "hostile/entry");
    await executable(join(hostile, "bin/tool"), "evil");
    const sha256 = createHash("sha256").update("evil").digest("hex");
    const manifest = { format: 1, version: "1.0.0", files: { tool: 4 }, contents: { tool: { sha256 } } };
    await writeFile(join(hostile, "manifest.json"), JSON.stringify(manifest));
    await cp(env["WORKSPACECTL_DIGESTS"]!, join(hostile, "digests.json"));
    expect(await readEntry(hostile, ["tool"], env)).toBeUndefined();
    expect(await readEntry(folder, ["tool"], env)).toBeDefined();
  });

  it("are used when they cannot be written, as in an image", async () => {
    const { env, folder, tool } = await made();
    await utimes(tool, 1, 1);
    // The name of its lock is too long for a file system.
    const digests = join(dirname(env["WORKSPACECTL_DIGESTS"]!), "d".repeat(255));
    await rename(env["WORKSPACECTL_DIGESTS"]!, digests);
    const image = { ...env, WORKSPACECTL_DIGESTS: digests };
    expect(await readEntry(folder, ["tool"], image)).toMatchObject({ version: "1.0.0" });
    await writeFile(tool, "evil");
    expect(await readEntry(folder, ["tool"], image)).toBeUndefined();
  });

  it("that cannot be written stop the installation, with a remedy", async () => {
    const { folder: base, env } = emptyMachine();
    await mkdir(join(base, "cache"));
    await writeFile(join(base, "config"), "a file where the folder should be");
    await expect(makeEntry(join(base, "cache/entry"), "build", fill, env)).rejects.toThrow(
      /cannot be written to .*digests\.json.* set WORKSPACECTL_DIGESTS to a file that is/,
    );
  });

  it("of two entries that are made at the same time are both kept", async () => {
    const { folder: base, env } = emptyMachine();
    await mkdir(join(base, "cache"));
    const folders = Array.from({ length: 8 }, (_, i) => join(base, `cache/entry${i}`));
    await Promise.all(folders.map((folder) => makeEntry(folder, "build", fill, env)));
    for (const folder of folders) expect(await readEntry(folder, ["tool"], env)).toBeDefined();
  });
});

describe("an interrupted installation", () => {
  it("is repeated, though half an entry and its lock are left", async () => {
    const { env } = emptyMachine();
    const { base, cli } = listCacheFolders(env);
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
