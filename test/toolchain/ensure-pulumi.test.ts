/** Tests toolchain/ensure-pulumi.ts. */
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensurePulumi, ToolchainError } from "../../toolchain/index.js";
import { executables, listCacheFolders } from "../../toolchain/locations.js";
import type { Machinery } from "../../toolchain/types.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { emptyMachine, executable, fails, fakeMachinery, recorder } from "./fakes.js";

/** Creates a complete installation, as Pulumi's installer does. */
async function installation(folder: string, version: string) {
  await executable(join(folder, "bin", executables.languageHost), "host");
  await executable(join(folder, "bin", executables.resourcePlugin), "plugin");
  return await executable(join(folder, "bin", executables.cli), version);
}

async function errorOf(promise: Promise<unknown>): Promise<ToolchainError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolchainError)) throw new Error(`no ToolchainError but ${String(error)}`);
  return error;
}

describe("an installed CLI", () => {
  it("is taken from PULUMI_BIN, a file or a folder, before PATH", async () => {
    const { folder, env } = emptyMachine();
    const named = await installation(join(folder, "named"), "3.300.0");
    const onPath = await installation(join(folder, "onpath"), "3.290.0");
    const { machinery, calls } = fakeMachinery();
    const withPath = { ...env, PATH: join(folder, "onpath/bin") };
    for (const value of [named, join(folder, "named/bin")]) {
      const found = await ensurePulumi({ env: { ...withPath, PULUMI_BIN: value }, machinery });
      expect(found).toMatchObject({ source: "PULUMI_BIN", version: "3.300.0", command: named });
    }
    const found = await ensurePulumi({ env: withPath, machinery });
    expect(found).toMatchObject({ source: "PATH", version: "3.290.0", command: onPath });
    expect(found.tried).toEqual([
      { way: "PULUMI_BIN", outcome: "not set" },
      { way: "PATH", outcome: `3.290.0 at ${onPath}` },
    ]);
    expect(calls).toEqual([]);
  });

  it("that is too old is skipped with a message", async () => {
    const { folder, env } = emptyMachine();
    const old = await installation(join(folder, "old"), "3.100.0");
    const { machinery } = fakeMachinery();
    const { events, onProgress } = recorder();
    const found = await ensurePulumi({
      env: { ...env, PATH: join(folder, "old/bin") },
      machinery,
      onProgress,
    });
    expect(found.source).toBe("installer");
    expect(events).toContainEqual({
      kind: "passed-over",
      way: "PATH",
      text: `${old} is 3.100.0, too old; 3.206.0 or later is required`,
      absent: false,
    });
  });

  it("is skipped if it does not run or PULUMI_BIN does not exist", async () => {
    const { folder, env } = emptyMachine();
    const broken = await installation(join(folder, "broken"), "broken");
    const { machinery } = fakeMachinery();
    const nowhere = join(folder, "nowhere");
    const found = await ensurePulumi({
      env: { ...env, PULUMI_BIN: nowhere, PATH: join(folder, "broken/bin") },
      machinery,
    });
    expect(found.tried.slice(0, 2)).toEqual([
      { way: "PULUMI_BIN", outcome: `${nowhere} does not exist` },
      { way: "PATH", outcome: `${broken} is broken` },
    ]);
  });

  it("is used from a separate folder if its own contains other programs", async () => {
    const { folder, env } = emptyMachine();
    const command = await installation(join(folder, "usr"), "3.300.0");
    await executable(join(folder, "usr/bin/node"), "another node");
    const { machinery } = fakeMachinery();
    const machine = { ...env, PATH: join(folder, "usr/bin") };
    const found = await ensurePulumi({ env: machine, machinery });
    expect(readdirSync(found.binDir).sort()).toEqual(Object.values(executables).sort());
    expect(await readFile(found.command, "utf8")).toBe(await readFile(command, "utf8"));
    expect(found.command).toBe(join(found.root, "bin", executables.cli));
    expect((await ensurePulumi({ env: machine, machinery })).binDir).toBe(found.binDir);
  });

  it("is accepted without a language host if that is optional", async () => {
    const { folder, env } = emptyMachine();
    await executable(join(folder, "alone/bin", executables.cli), "3.300.0");
    const { machinery, calls } = fakeMachinery();
    const machine = { ...env, PATH: join(folder, "alone/bin") };
    const found = await ensurePulumi({ env: machine, machinery, languageHost: "optional" });
    expect(found).not.toHaveProperty("languageHost");
    expect(calls).toEqual([]);
  });

  it("runs dynamic providers with the SDK of the program where it has no host for them", async () => {
    const { folder, env } = emptyMachine();
    await executable(join(folder, "alone/bin", executables.cli), "3.300.0");
    const machine = { ...env, PATH: join(folder, "alone/bin") };
    const options = { env: machine, machinery: fakeMachinery().machinery, languageHost: "optional" } as const;
    const sdk = join(folder, "program/node_modules/@pulumi/pulumi");
    await executable(join(sdk, executables.resourcePlugin), "of the program");
    await writeFile(join(sdk, "package.json"), "{}");
    const { binDir } = await ensurePulumi({ ...options, program: join(folder, "program") });
    expect(await readFile(join(binDir, executables.resourcePlugin), "utf8")).toBe("of the program");
  });

  it("is skipped if it has no language host", async () => {
    const { folder, env } = emptyMachine();
    const command = await executable(join(folder, "alone/bin", executables.cli), "3.300.0");
    const { machinery } = fakeMachinery();
    const found = await ensurePulumi({ env: { ...env, PATH: join(folder, "alone/bin") }, machinery });
    expect(found).toMatchObject({ source: "installer", version: PULUMI_VERSION });
    expect(found.tried).toContainEqual({
      way: "PATH",
      outcome: `${command} has no ${executables.languageHost} next to it or on PATH, which programs need`,
    });
  });
});

describe("a CLI that is not installed", () => {
  it("comes from the installer, and from the cache the next time", async () => {
    const { env } = emptyMachine();
    const { machinery, calls } = fakeMachinery();
    const first = await ensurePulumi({ env, machinery });
    expect(first).toMatchObject({ source: "installer", version: PULUMI_VERSION });
    expect(readdirSync(first.binDir).sort()).toEqual(Object.values(executables).sort());
    const second = await ensurePulumi({ env, machinery });
    expect(second).toMatchObject({ source: "cache", binDir: first.binDir });
    expect(calls).toEqual(["install"]);
  });

  it("is built in a clone if the installer fails, which is reported in one line", async () => {
    const { env } = emptyMachine();
    const build: Machinery["build"] = (root, context) => fakeMachinery().machinery.install(root, context);
    const { machinery, calls } = fakeMachinery({ install: fails("cannot be reached\nat all"), build });
    const { events, onProgress } = recorder();
    const found = await ensurePulumi({ env, machinery, onProgress });
    expect(found.source).toBe("build");
    expect(calls).toEqual(["install"]);
    const text = "cannot be reached; at all";
    expect(events).toContainEqual({ kind: "passed-over", way: "installer", text, absent: false });
  });

  it("is not cached if its version is wrong or its language host does not start", async () => {
    for (const wrong of [
      { pulumiVersion: () => Promise.resolve("3.1.0") },
      { checkLanguageHost: fails("does not start") },
    ]) {
      const { env } = emptyMachine();
      const { machinery } = fakeMachinery(wrong);
      const error = await errorOf(ensurePulumi({ env, machinery }));
      expect(error.message).toMatch(/CLI is 3\.1\.0, not|does not start/);
      expect(readdirSync(listCacheFolders(env).base)).toEqual([]);
    }
  });

  it("fails with the attempted sources and with what to install", async () => {
    const { env } = emptyMachine();
    const { machinery } = fakeMachinery({ install: fails("no network") });
    const error = await errorOf(ensurePulumi({ env, machinery }));
    expect(error.code).toBe("no-pulumi");
    expect(error.tried.map(({ way }) => way)).toEqual(["PULUMI_BIN", "PATH", "cache", "installer"]);
    expect(error.message).toContain("installer: no network\n");
    expect(error.message).toContain("install Pulumi 3.206.0 or later (https://www.pulumi.com/docs/install/)");
    expect(error.message).toContain("WORKSPACECTL_PULUMI_RELEASES");
  });

  it("is not tried from the next source after a cancellation", async () => {
    const { env } = emptyMachine();
    const cancelled = new ToolchainError(
      "cancelled",
      "The command was cancelled.",
      "Run it again to continue.",
    );
    const { machinery, calls } = fakeMachinery({ install: () => Promise.reject(cancelled) });
    expect(await errorOf(ensurePulumi({ env, machinery }))).toBe(cancelled);
    expect(calls).toEqual(["install"]);
    const signal = AbortSignal.abort();
    expect((await errorOf(ensurePulumi({ env, machinery, signal }))).code).toBe("cancelled");
  });

  it("is reported with a remedy if the cache is not writable", async () => {
    const { folder, env } = emptyMachine();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "cache"), "a file where the folder should be");
    const error = await errorOf(ensurePulumi({ env, machinery: fakeMachinery().machinery }));
    expect(error.code).toBe("cache-unwritable");
    expect(error.message).toContain("set WORKSPACECTL_CACHE to a folder that is");
  });
});
