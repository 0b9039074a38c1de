/** Fills the disk of the state at every moment of an `up` and a `destroy`. Needs a build, and to be root on Linux. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const mounted: string[] = [];
const skip = whyNoMount();
afterAll(() => mounted.forEach((folder) => execFileSync("umount", [folder])));

/** Pages of the file system have 4 KB. Pulumi needs some 12 KB for its own files, and the state of 12 objects has 14 KB. */
const sizes = Array.from({ length: 40 }, (_, n) => `${4 * (n + 1)}k`);

function mount(folder: string, size: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "pipe" });
  mounted.push(folder);
}

function whyNoMount(): string | undefined {
  const folder = temporaryFolder();
  try {
    mount(folder, "16k");
    return undefined;
  } catch {
    return "no file system can be mounted";
  }
}

function groups(count: number): string {
  const each = Array.from({ length: count }, (_, n) => `  G${n}: { description: Group ${n} }\n`);
  return `version: 1\nworkspace: acme\ngroups:\n${each.join("")}`;
}

describe.skipIf(skip)(`a full disk${skip ? ` (skipped: ${skip})` : ""}`, { timeout: 400_000 }, () => {
  it.each(sizes)("of %s loses nothing that up, and then destroy, has done", async (size) => {
    const folder = temporaryFolder();
    const state = join(folder, "state");
    mount(state, "1m");
    const emulator = await emulatorForTests();
    const env = isolated(folder, { ...connected(emulator), PULUMI_BACKEND_URL: pathToFileURL(state).href });
    const run = (...argv: string[]) => workspacectl(argv, folder, env);
    const resize = (to: string) => execFileSync("mount", ["-o", `remount,size=${to}`, state]);
    const names = async () => {
      const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups?per_page=100" });
      return (body as { groups: { name: string }[] }).groups.map(({ name }) => name).toSorted();
    };
    writeFileSync(join(folder, "workspace.yaml"), groups(2));
    expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });

    for (const [command, then] of [
      [["up", "--yes"], "up"],
      [["destroy", "--yes", "--allow-delete", "**"], "destroy"],
    ] as const) {
      writeFileSync(join(folder, "workspace.yaml"), groups(12));
      const used = Number(execFileSync("df", ["--output=used", state]).toString().split("\n")[1]);
      resize(`${used + parseInt(size, 10)}k`);
      const full = await run(...command);
      const { length: done } = await names();
      resize("1m");
      const next = await run("preview");
      expect(next.code, `${full.stderr}\n${next.stderr}`).toBe(0);
      if (then === "up" && done < 12) expect(next.stdout).toContain(`${12 - done} to create`);
      const again = await run(...command);
      expect(again.code, again.stderr).toBe(0);
      expect(await names()).toHaveLength(then === "up" ? 12 : 0);
      if (then === "up") expect(new Set(await names()).size).toBe(12);
    }
  });
});
