import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Person } from "./service-support.js";

/** The library prints by itself. */
let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
});
afterEach(() => vi.restoreAllMocks());

const ann = new Person();

/** What a shell is offered after these words. */
async function offered(...words: string[]): Promise<string[]> {
  printed = [];
  expect((await ann.types(["complete", "--", ...words])).code).toBe(0);
  return printed.slice(0, -1).map((line) => line.split("\t")[0] ?? "");
}

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("prints a script for %s", async (shell) => {
    expect((await ann.types(["completion", shell])).code).toBe(0);
    const script = printed.join("\n");
    expect(script).toContain("workspacectl");
    expect(script).toContain("complete --");
    if (shell === "bash") expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
  });

  it("refuses a shell that it does not know", async () => {
    const { code, stderr } = await ann.types(["completion", "tcsh"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish");
  });

  it("offers commands, subcommands and options", async () => {
    expect(await offered("")).toEqual(expect.arrayContaining(["login", "up", "run", "executions"]));
    expect(await offered("")).not.toContain("complete");
    expect(await offered("executions", "")).toEqual(["list", "show", "retry", "cancel"]);
    expect(await offered("run", "web/deploy", "--w")).toEqual(["--watch", "--workspace"]);
  });

  it("offers the connections that were logged in to", async () => {
    mkdirSync(dirname(ann.file), { recursive: true });
    writeFileSync(ann.file, JSON.stringify({ connections: { us: {}, eu: {} } }));
    expect(await offered("whoami", "--connection", "")).toEqual(["us", "eu"]);
    expect(await offered("whoami", "-c", "e")).toEqual(["eu"]);
  });
});
