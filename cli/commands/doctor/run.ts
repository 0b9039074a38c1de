import {
  credentialsFile,
  readCredentials,
  resolveConnection,
  type Connection,
} from "../../../provider/index.js";
import { print, type Io } from "../../terminal/io.js";
import { inspectConnection, type ConnectionToCheck } from "../../connection/inspect-connection.js";
import { printJson, printTable } from "../../terminal/output.js";
import { inspect, type ToolchainCheck } from "../../toolchain/index.js";

interface DiagnoseOptions {
  readonly connection?: string;
  readonly json?: boolean;
}

/** Checks the machine, and the service if a connection is configured. */
export async function diagnose({ connection: name, json = false }: DiagnoseOptions, io: Io): Promise<number> {
  const found = connectionOf(name, io);
  if (found === undefined) return doctor({ json }, io);
  const { baseUrl, allowInsecure, token } = found;
  const text = typeof token === "string" ? token : await token.token({});
  return doctor({ json, baseUrl, allowInsecure, token: text }, io);
}

/** The configured connection. Without one, only a connection that was asked for by name is an error. */
function connectionOf(name: string | undefined, io: Io): Connection | undefined {
  try {
    const credentials = readCredentials(credentialsFile(io.env));
    return resolveConnection({ explicit: { connection: name }, env: io.env, credentials });
  } catch (error) {
    if (name !== undefined) throw error;
    return undefined;
  }
}

/**
 * Prints what it finds on this machine and at the service, and how to correct problems.
 * @returns the exit code: 0 when nothing is missing, else 1
 */
export async function doctor(
  { json, baseUrl, ...connection }: Partial<ConnectionToCheck> & Pick<DiagnoseOptions, "json">,
  io: Io,
): Promise<number> {
  const remedy = "name a connection, or start a local service with `workspacectl emulator`";
  const none: ToolchainCheck = { name: "connection", status: "warning", found: "none configured", remedy };
  const checked = baseUrl ? inspectConnection({ baseUrl, ...connection }) : [none];
  const findings = (await Promise.all([inspect(), checked])).flat();
  const healthy = findings.every(({ status }) => status !== "missing");
  if (json) printJson(io, { healthy, findings });
  else await printChecks(findings, healthy, io);
  return healthy ? 0 : 1;
}

async function printChecks(findings: ToolchainCheck[], healthy: boolean, io: Io): Promise<void> {
  const { green, yellow, red } = io.colors;
  const marks = { ok: green("ok"), warning: yellow("warning"), missing: red("missing") };
  const rows = findings.map(({ name, status, found }) => [marks[status], name, found]);
  await printTable(io, ["STATUS", "CHECK", "FOUND"], rows);
  const remedies = findings.filter(({ remedy }) => remedy);
  if (remedies.length > 0) print(io, "\nRemedies:");
  for (const { name, remedy } of remedies) print(io, `  - ${name}: ${remedy}`);
  print(io, `\n${healthy ? "Everything needed is there." : "Something is missing."}`);
}
