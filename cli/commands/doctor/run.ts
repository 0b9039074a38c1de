import Table from "cli-table3";
import type { TokenProvider } from "../../../client/index.js";
import {
  credentialsFile,
  readCredentials,
  resolveConnection,
  type Connection,
} from "../../../provider/index.js";
import { printText, type Io } from "../../terminal/io.js";
import { inspectConnection } from "../../connection/inspect-connection.js";
import { printJson } from "../../terminal/output.js";
import { inspect, type ToolchainCheck } from "../../toolchain/index.js";

/** Options of `workspacectl doctor`. */
export interface DoctorCommandOptions {
  readonly connection?: string;
  readonly json?: boolean;
}

/** Looks at the machine, and at the service if a connection is configured. */
export async function diagnose({ connection, json }: DoctorCommandOptions, io: Io): Promise<number> {
  const found = connectionOf(connection, io);
  const asked = found && {
    baseUrl: found.baseUrl,
    allowInsecure: found.allowInsecure,
    token: await tokenOf(found.token),
  };
  return doctor({ ...(json ? { json } : {}), ...asked }, io);
}

async function tokenOf(token: string | TokenProvider): Promise<string> {
  return typeof token === "string" ? token : await token.token({});
}

/** The configured connection. Without one the machine alone is looked at, unless one was asked for by name. */
function connectionOf(name: string | undefined, io: Io): Connection | undefined {
  const explicit = name === undefined ? {} : { connection: name };
  try {
    return resolveConnection({
      explicit,
      env: io.env,
      credentials: readCredentials(credentialsFile(io.env)),
    });
  } catch (error) {
    if (name !== undefined) throw error;
    return undefined;
  }
}

/** What `workspacectl doctor` is asked. */
export interface DoctorOptions {
  /** Print one JSON document instead of a table. */
  json?: boolean;
  /** The base address of the connection to look at; without one, only the machine is looked at. */
  baseUrl?: string;
  token?: string;
  allowInsecure?: boolean;
}

/**
 * Shows what was found on this machine and at the service, and how to mend what is missing.
 * @returns the exit code: 0 when nothing is missing, else 1
 */
export async function doctor(options: DoctorOptions, io: Io): Promise<number> {
  const findings = (await Promise.all([inspect(), connectionFindings(options)])).flat();
  const healthy = findings.every(({ status }) => status !== "missing");
  if (options.json) printJson(io, { healthy, findings });
  else printText(io, asText(findings, healthy, io));
  return healthy ? 0 : 1;
}

async function connectionFindings({
  baseUrl,
  token,
  allowInsecure,
}: DoctorOptions): Promise<ToolchainCheck[]> {
  if (baseUrl)
    return await inspectConnection({
      baseUrl,
      ...(token && { token }),
      ...(allowInsecure && { allowInsecure }),
    });
  const remedy = "name a connection, or start the local one with `workspacectl emulator`";
  return [{ name: "connection", status: "warning", found: "none configured", remedy }];
}

function asText(findings: ToolchainCheck[], healthy: boolean, { colors }: Io): string {
  const noRules = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" };
  const table = new Table({ chars: noRules, style: { head: [], border: [] } });
  const marks = { ok: colors.green("ok"), warning: colors.yellow("warning"), missing: colors.red("missing") };
  table.push(...findings.map(({ name, status, found }) => [marks[status], name, found]));
  const remedies = findings
    .filter((finding) => finding.remedy)
    .map(({ name, remedy }) => `  - ${name}: ${remedy}`);
  const advice = remedies.length > 0 ? `\nTo mend:\n${remedies.join("\n")}\n` : "";
  return `${table.toString()}\n${advice}\n${healthy ? "Everything needed is there." : "Something is missing."}\n`;
}
