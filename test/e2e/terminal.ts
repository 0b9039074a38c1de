/** Runs `workspacectl` in a pseudo-terminal, which `script` of util-linux makes, and reads its screen. */
import { spawnSync } from "node:child_process";
import { execa } from "execa";
import { joinText, readScreen, type ScreenLine } from "../../scripts/pictures/screen.js";
import { bin } from "./support.js";

/** Whether this machine has the `script` of util-linux; others take other options. */
export const hasPseudoTerminal =
  process.platform === "linux" &&
  /util-linux/.test(spawnSync("script", ["--version"]).stdout?.toString() ?? "");

type Typed = readonly [after: string, text: string];

export interface TerminalRun {
  readonly columns: number;
  readonly rows?: number;
  /** Texts that are typed one after the other, each once the screen shows the other. */
  readonly typed?: readonly Typed[];
}

export interface TerminalResult {
  readonly code: number | undefined;
  /** All that was written. */
  readonly raw: string;
  readonly lines: readonly ScreenLine[];
  /** The text of the lines. */
  readonly screen: string;
}

export async function inTerminal(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { columns, rows = 60, typed }: TerminalRun,
): Promise<TerminalResult> {
  const words = [process.execPath, bin, ...argv].map((word) => `'${word}'`).join(" ");
  const child = execa("script", ["-qec", `stty cols ${columns} rows ${rows}; ${words}`, "/dev/null"], {
    cwd,
    env: { TERM: "xterm-256color", ...env, CI: "" },
    extendEnv: false,
    reject: false,
    ...(typed === undefined ? { stdin: "ignore" as const } : {}),
  });
  let raw = "";
  let answers = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    raw += chunk.toString();
    const [after, text] = typed?.[answers] ?? [];
    if (after === undefined || text === undefined || !raw.includes(after)) return;
    answers += 1;
    child.stdin?.write(text);
  });
  const { exitCode: code } = await child;
  const lines = await readScreen(raw, columns);
  return { code, raw, lines, screen: lines.map(joinText).join("\n") };
}
