/** Runs a YAML language server as editors do: over stdio, with the schema in the first line of the file. */
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CompletionItem,
  type CompletionList,
  type Diagnostic,
  type Hover,
  type MarkupContent,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node.js";

const packageFolder = dirname(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));

export class LanguageServer {
  private files = 0;
  private readonly waiting = new Map<string, (diagnostics: Diagnostic[]) => void>();

  private constructor(
    private readonly server: ChildProcess,
    private readonly connection: ProtocolConnection,
  ) {}

  static async start(): Promise<LanguageServer> {
    const bin = join(packageFolder, "bin", "yaml-language-server");
    const child = spawn(process.execPath, [bin, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const server = new LanguageServer(child, connection);
    const settings = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };
    connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section }) => (section === "yaml" ? settings : null)),
    );
    connection.onRequest("client/registerCapability", () => null);
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      server.waiting.get(params.uri)?.(params.diagnostics);
    });
    connection.listen();
    await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: null,
      capabilities: {
        workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
        textDocument: {
          completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
          hover: { contentFormat: ["markdown"] },
          publishDiagnostics: {},
        },
      },
    });
    await connection.sendNotification("initialized", {});
    return server;
  }

  /** Opens a file in the editor. `|` marks the cursor and is removed from the text. */
  async open(schema: string, marked: string): Promise<OpenFile> {
    const head = `# yaml-language-server: $schema=${pathToFileURL(resolve(schema)).href}\n`;
    const uri = `file:///tmp/language-server-test/workspace-${++this.files}.yaml`;
    const cursor = marked.indexOf("|");
    const text = head + marked.replace("|", "");
    const before = (head + marked.slice(0, Math.max(cursor, 0))).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    const diagnostics = new Promise<Diagnostic[]>((tell) => this.waiting.set(uri, tell));
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    return new OpenFile(this.connection, uri, position, text, diagnostics);
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.server.once("exit", done));
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    await gone;
    this.connection.dispose();
  }
}

export class OpenFile {
  constructor(
    private readonly connection: ProtocolConnection,
    private readonly uri: string,
    private readonly position: Position,
    private readonly text: string,
    private readonly told: Promise<Diagnostic[]>,
  ) {}

  /** Returns the diagnostics as `text: message`. */
  async diagnostics(): Promise<string[]> {
    const lines = this.text.split("\n");
    return (await this.told).map(({ range: { start, end }, message }) => {
      const line = lines[start.line] ?? "";
      const underlined = line.slice(start.character, end.line === start.line ? end.character : undefined);
      return `${underlined.trim()}: ${message}`;
    });
  }

  /** Returns the completions at the cursor. */
  async completions(): Promise<CompletionItem[]> {
    const answer = await this.connection.sendRequest<CompletionItem[] | CompletionList | null>(
      "textDocument/completion",
      { textDocument: { uri: this.uri }, position: this.position },
    );
    return Array.isArray(answer) ? answer : (answer?.items ?? []);
  }

  /** Returns the hover text at the cursor. */
  async hover(): Promise<string> {
    const answer = await this.connection.sendRequest<Hover | null>("textDocument/hover", {
      textDocument: { uri: this.uri },
      position: this.position,
    });
    return (answer?.contents as MarkupContent | undefined)?.value ?? "";
  }
}
