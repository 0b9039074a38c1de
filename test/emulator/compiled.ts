/** Compiles the emulator for tests that start it in other processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Changes that a test makes to the compiled emulator. */
interface Changes {
  /** Paths of additional files in the emulator, whose text `edit` supplies. */
  added?: readonly string[];
  edit?: (path: string, text: string) => string;
}

/**
 * Compiles the emulator to plain JavaScript for a separate process, inside node_modules so that it finds its
 * packages.
 */
export async function compileEmulator({ added = [], edit = (_, text) => text }: Changes = {}): Promise<{
  folder: string;
  remove: () => Promise<void>;
}> {
  await mkdir(join(root, "node_modules/.cache"), { recursive: true });
  const folder = await mkdtemp(join(root, "node_modules/.cache/emulator-"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const source = join(root, "emulator");
  const files = (await readdir(source, { recursive: true })).filter((path) => path.endsWith(".ts"));
  await Promise.all(
    [...files, ...added].map(async (path) => {
      const text = added.includes(path) ? "" : await readFile(join(source, path), "utf8");
      const { outputText } = ts.transpileModule(edit(path, text), {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
          verbatimModuleSyntax: true,
        },
      });
      const target = join(folder, path.replace(/\.ts$/, ".js"));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, outputText);
    }),
  );
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Process {
  child: ChildProcess;
  baseUrl: string;
  token: string;
  /** Ends the process like `kill -9`. */
  kill(): Promise<void>;
}

/** Starts a compiled emulator in a separate process. */
export async function startProcess(folder: string, options: object): Promise<Process> {
  const script = `
    const { startEmulator } = await import(${JSON.stringify(join(folder, "index.js"))});
    const emulator = await startEmulator(${JSON.stringify(options)});
    process.stdout.write(JSON.stringify({ baseUrl: emulator.baseUrl, token: emulator.token }) + "\\n");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    exited.then(() => Promise.reject(new Error("The emulator ended before it was ready"))),
  ])) as [Buffer];
  const { baseUrl, token } = JSON.parse(line.toString()) as { baseUrl: string; token: string };
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return { child, baseUrl, token, kill };
}
