/** Runs `workspacectl` in a pseudo-terminal, which `script` of util-linux makes, and reads its screen. */
import { spawnSync } from "node:child_process";
import { execa } from "execa";
import { Terminal } from "../cli/engine/progress/terminal.js";
import { bin } from "./support.js";

/** Whether this machine has the `script` of util-linux; others take other options. */
export const hasPseudoTerminal =
  process.platform === "linux" &&
  /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "");

export interface TerminalRun {
  readonly columns: number;
  readonly rows?: number;
  /** Text that is typed once the screen shows the other. */
  readonly typed?: readonly [after: string, text: string];
}

/** @returns everything that was written, and the screen at the end */
export async function inTerminal(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { columns, rows = 60, typed }: TerminalRun,
): Promise<{ readonly code: number | undefined; readonly raw: string; readonly screen: string }> {
  const words = [process.execPath, bin, ...argv].map((word) => `'${word}'`).join(" ");
  const child = execa("script", ["-qec", `stty cols ${columns} rows ${rows}; ${words}`, "/dev/null"], {
    cwd,
    env: { TERM: "xterm-256color", ...env, CI: "" },
    extendEnv: false,
    reject: false,
    ...(typed === undefined ? { stdin: "ignore" as const } : {}),
  });
  let raw = "";
  let isTyped = false;
  child.stdout.on("data", (chunk: Buffer) => {
    raw += chunk.toString();
    if (typed === undefined || isTyped || !raw.includes(typed[0])) return;
    isTyped = true;
    child.stdin?.write(typed[1]);
  });
  const { exitCode: code } = await child;
  const terminal = new Terminal(columns, true);
  terminal.write(raw);
  return { code, raw, screen: terminal.screen };
}
