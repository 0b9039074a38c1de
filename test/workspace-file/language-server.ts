/** Runs a YAML language server as editors do: over stdio, with the schema in the first line of the file. */
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  CompletionItem,
  Diagnostic,
  Hover,
  MarkupContent,
  Position,
  ProtocolConnection,
  PublishDiagnosticsParams,
} from "vscode-languageserver-protocol/node.js";
import { requestCompletions, type ServerProcess, startServer } from "../language-server-process.js";

const packageFolder = dirname(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));

export class LanguageServer {
  private files = 0;
  private readonly waiting = new Map<string, (diagnostics: Diagnostic[]) => void>();

  private constructor(private readonly server: ServerProcess) {
    server.connection.onNotification(
      "textDocument/publishDiagnostics",
      ({ uri, diagnostics }: PublishDiagnosticsParams) => this.waiting.get(uri)?.(diagnostics),
    );
  }

  static async start(): Promise<LanguageServer> {
    const bin = join(packageFolder, "bin", "yaml-language-server");
    const settings = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };
    const server = await startServer(
      bin,
      { yaml: settings },
      {
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
      },
    );
    return new LanguageServer(server);
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
    await this.server.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    return new OpenFile(this.server.connection, uri, position, text, diagnostics);
  }

  stop(): Promise<void> {
    return this.server.stop();
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
  completions(): Promise<CompletionItem[]> {
    return requestCompletions(this.connection, this.uri, this.position);
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
