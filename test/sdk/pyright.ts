/** Runs Pyright on Python programs, as editors do: completions over stdio, and the errors of a folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CompletionItem,
  type CompletionList,
  type ProtocolConnection,
} from "vscode-languageserver-protocol/node.js";

const packageFolder = dirname(createRequire(import.meta.url).resolve("pyright/package.json"));

export class Pyright {
  private files = 0;

  private constructor(
    private readonly server: ChildProcess,
    private readonly connection: ProtocolConnection,
    private readonly root: string,
  ) {}

  /** Starts the language server for the programs in a folder, with the packages of a Python interpreter. */
  static async start(root: string, pythonPath: string): Promise<Pyright> {
    const script = join(packageFolder, "langserver.index.js");
    const server = spawn(process.execPath, [script, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section }) => (section === "python" ? { pythonPath } : {})),
    );
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("window/workDoneProgress/create", () => null);
    connection.listen();
    const rootUri = pathToFileURL(root).href;
    await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "programs" }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { completion: {} },
      },
    });
    await connection.sendNotification("initialized", {});
    return new Pyright(server, connection, root);
  }

  /** Returns what is offered at each `|` of a program. */
  async complete(marked: string): Promise<string[][]> {
    const uri = pathToFileURL(join(this.root, `program${++this.files}.py`)).href;
    const parts = marked.split("|");
    const textDocument = { uri, languageId: "python", version: 1, text: parts.join("") };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
    const offered: string[][] = [];
    for (let part = 1; part < parts.length; part++) {
      const before = parts.slice(0, part).join("").split("\n");
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const response = await this.connection.sendRequest<CompletionItem[] | CompletionList | null>(
        "textDocument/completion",
        { textDocument: { uri }, position },
      );
      const items = Array.isArray(response) ? response : (response?.items ?? []);
      offered.push(items.map(({ label }) => label));
    }
    return offered;
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.server.once("exit", done));
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    await gone;
    this.connection.dispose();
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
