/** Runs Pyright on Python programs, as editors do: completions over stdio, and the errors of a folder. */
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { requestCompletions, type ServerProcess, startServer } from "../language-server-process.js";

const packageFolder = dirname(createRequire(import.meta.url).resolve("pyright/package.json"));

export class Pyright {
  private files = 0;

  private constructor(
    private readonly server: ServerProcess,
    private readonly root: string,
  ) {}

  /** Starts the language server for the programs in a folder, with the packages of a Python interpreter. */
  static async start(root: string, pythonPath: string): Promise<Pyright> {
    const rootUri = pathToFileURL(root).href;
    const script = join(packageFolder, "langserver.index.js");
    const server = await startServer(
      script,
      { python: { pythonPath } },
      {
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: "programs" }],
        capabilities: {
          workspace: { configuration: true, workspaceFolders: true },
          textDocument: { completion: {} },
        },
      },
    );
    return new Pyright(server, root);
  }

  /** Returns what is offered at each `|` of a program. */
  async complete(marked: string): Promise<string[][]> {
    const uri = pathToFileURL(join(this.root, `program${++this.files}.py`)).href;
    const parts = marked.split("|");
    const textDocument = { uri, languageId: "python", version: 1, text: parts.join("") };
    const { connection } = this.server;
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const offered: string[][] = [];
    for (let part = 1; part < parts.length; part++) {
      const before = parts.slice(0, part).join("").split("\n");
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const items = await requestCompletions(connection, uri, position);
      offered.push(items.map(({ label }) => label));
    }
    return offered;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** Returns the errors in the programs of a folder, as `file:line: message`. */
export async function findTypeErrors(folder: string, pythonPath: string): Promise<string[]> {
  const argv = [join(packageFolder, "index.js"), "--outputjson", "--pythonpath", pythonPath, "."];
  const { stdout } = await execa(process.execPath, argv, { cwd: folder, reject: false });
  const { generalDiagnostics, summary } = JSON.parse(stdout) as {
    readonly generalDiagnostics: readonly {
      readonly file: string;
      readonly message: string;
      readonly range: { readonly start: { readonly line: number } };
    }[];
    readonly summary: { readonly filesAnalyzed: number };
  };
  if (summary.filesAnalyzed === 0) throw new Error(`Pyright found no program in ${folder}.`);
  return generalDiagnostics.map(
    ({ file, range, message }) => `${basename(file)}:${range.start.line + 1}: ${message}`,
  );
}
