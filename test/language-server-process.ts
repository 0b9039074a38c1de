/** Starts a language server as editors do: a process of its own, which speaks over stdio. */
import { spawn } from "node:child_process";
import {
  type CompletionItem,
  type CompletionList,
  createProtocolConnection,
  type InitializeParams,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node.js";

export interface ServerProcess {
  readonly connection: ProtocolConnection;
  stop(): Promise<void>;
}

/** @param settings by section of the editor's settings */
export async function startServer(
  script: string,
  settings: Readonly<Record<string, object>>,
  initial: Omit<InitializeParams, "processId">,
): Promise<ServerProcess> {
  const server = spawn(process.execPath, [script, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onRequest("workspace/configuration", ({ items }: { items: { section?: string }[] }) =>
    items.map(({ section = "" }) => settings[section] ?? null),
  );
  for (const request of ["client/registerCapability", "window/workDoneProgress/create"])
    connection.onRequest(request, () => null);
  connection.listen();
  await connection.sendRequest("initialize", { processId: process.pid, ...initial });
  await connection.sendNotification("initialized", {});
  return {
    connection,
    stop: async () => {
      const gone = new Promise((done) => server.once("exit", done));
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      await gone;
      connection.dispose();
    },
  };
}

/** Returns what is offered at a position. */
export async function requestCompletions(
  connection: ProtocolConnection,
  uri: string,
  position: Position,
): Promise<CompletionItem[]> {
  const answer = await connection.sendRequest<CompletionItem[] | CompletionList | null>(
    "textDocument/completion",
    { textDocument: { uri }, position },
  );
  return Array.isArray(answer) ? answer : (answer?.items ?? []);
}
