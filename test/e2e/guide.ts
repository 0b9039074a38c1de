/** Runs every command in the console blocks of a guide in one shell, and inserts the current output. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { bin, withoutProgress } from "./support.js";

/** Pages whose console blocks one test runs; others have a test of their own. */
export const pages = ["access", "drift", "drift-accept", "export", "guides/from-terraform", "tasks"];

/** Performs the manual steps of others: `<!-- by hand: ... -->`. */
export type ByHand = (what: string) => Promise<void>;

/** A shell that preserves its folder and variables between commands. */
export class Shell {
  private readonly child;
  private readonly lines: AsyncIterator<string>;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.child = spawn("bash", ["--norc"], { cwd, env, stdio: ["pipe", "pipe", "inherit"], detached: true });
    this.child.stdin.write("exec 2>&1\n");
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Runs a command and returns its output. */
  async run(command: string): Promise<string> {
    // The next command may use the exit code of this one.
    this.child.stdin.write(
      `{ ${command}\n} < /dev/null\n(code=$?; printf '\\n%s\\n' "${END}"; exit $code)\n`,
    );
    const printed: string[] = [];
    for (;;) {
      const line = await this.lines.next();
      if (line.done) throw new Error(`the shell ended in: ${command}\n${printed.join("\n")}`);
      if (line.value === END) return printed.join("\n").trimEnd();
      printed.push(line.value);
    }
  }

  /** Ends the shell with all its processes. */
  close(): void {
    if (this.child.exitCode === null && this.child.pid !== undefined)
      process.kill(-this.child.pid, "SIGKILL");
  }
}

/** Opens a shell that is closed when the test has finished. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  const shell = new Shell(cwd, env);
  onTestFinished(() => shell.close());
  return shell;
}

/** Opens a shell in which `workspacectl` is the built command. */
export async function openShellWithCommand(cwd: string, env: NodeJS.ProcessEnv): Promise<Shell> {
  const shell = openShell(cwd, env);
  await shell.run(`workspacectl() { "${process.execPath}" "${bin}" "$@"; }`);
  return shell;
}

const END = "--- the command has ended ---";
const BLOCKS =
  /^<!-- not run: .*-->\n```console\n[\s\S]*?^```$|^```console\n(?<console>[\s\S]*?)^```$|^<!-- (?<kind>run|by hand): (?<what>[\s\S]*?) -->$/gm;

/** Returns the guide with the current output of its commands. */
export async function played(guide: string, shell: Shell, byHand: ByHand): Promise<string> {
  let text = "";
  let end = 0;
  for (const match of guide.matchAll(BLOCKS)) {
    const { console: block, kind, what = "" } = match.groups ?? {};
    text += guide.slice(end, match.index);
    end = match.index + match[0].length;
    if (block === undefined && kind === undefined) text += match[0];
    else if (block !== undefined) text += `\`\`\`console\n${await playedBlock(block, shell)}\`\`\``;
    else {
      if (kind === "run") await shell.run(what);
      else await byHand(what);
      text += match[0];
    }
  }
  return text + guide.slice(end);
}

async function playedBlock(block: string, shell: Shell): Promise<string> {
  let text = "";
  for (const command of commandsIn(block)) {
    const printed = await shell.run(command.replace(/\n> /g, "\n"));
    text += `$ ${command}\n${printed === "" ? "" : `${printed}\n`}`;
  }
  return text;
}

/** Returns the lines that begin with `$ `, with their continuations that begin with `> `. */
function commandsIn(block: string): string[] {
  return [...block.matchAll(/^\$ (.*(?:\n> .*)*)$/gm)].map(([, command = ""]) => command);
}

/** Replaces everything that differs between runs. */
export function withoutChance(text: string): string {
  return (
    withoutProgress(text)
      .replace(/\b\d+\.\d s\b/g, "0.0 s")
      .replace(/\b\d\d:\d\d:\d\d\b/g, "00:00:00")
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "2026-01-01T00:00:00Z")
      .replace(/\b(\[main \(root-commit\)|\[main) [0-9a-f]{7}/g, "$1 0000000")
      .replace(/^index [0-9a-f]+\.\.[0-9a-f]+/gm, "index 0000000..0000000")
      .replace(/\b\d+ of 5000/g, "0 of 5000")
      .replace(/about \d+ to apply it \(\d+ to read/g, "about 0 to apply it (0 to read")
      .replace(/\b\d+ made so far/g, "0 made so far")
      // Ids depend on which of several objects is created first.
      .replace(/ \(\d+\)/g, " (0)")
      .replace(/\b(hmac|sha256):\w+/g, "$1:0")
  );
}
