/** Runs an export as a user does: its text, its messages, and its declarations with all placeholders set. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import pc from "picocolors";
import { runMain } from "../../../../../cli/program.js";
import { terminalPort } from "../../../../../cli/terminal/terminal-port.js";
import type { Emulator } from "../../../../../emulator/index.js";
import { discoverWorkspace } from "../../../../../provider/index.js";
import { readDeclarations, type ResourceDeclaration } from "../../../../../workspace-file/load/load.js";

export interface Exported {
  readonly code: number;
  /** The file, or the main file of a folder. */
  readonly text: string;
  readonly told: string;
  readonly declarations: readonly ResourceDeclaration[];
  /** The values of the placeholders. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Manner {
  /** Exports to a folder with a file per project. */
  readonly split: boolean;
  /** Includes the kinds that are exported only on request. */
  readonly branches: boolean;
  /** Exports only these kinds. */
  readonly kinds?: readonly string[];
}

export const allKinds = [
  "members",
  "permissionSets",
  "groups",
  "variables",
  "projects",
  "pipelines",
  "actions",
  "branches",
];

export async function exported(
  emulator: Emulator,
  { split, branches, kinds: only }: Manner,
): Promise<Exported> {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-generated-"));
  try {
    const asked = only ?? (branches ? allKinds : undefined);
    const kinds = asked === undefined ? [] : ["--kinds", asked.join(",")];
    const into = split ? ["--split", join(folder, "code")] : [];
    const { code, out, told } = await run(["export", ...kinds, ...into], emulator, join(folder, "answers"));
    if (code !== 0 && code !== 10) return { code, text: out, told, declarations: [], env: {} };
    const file = split ? join(folder, "code", "workspace.yaml") : "-";
    const read = (options: object) => readDeclarations(file, { stdin: () => out, ...options }).declarations;
    const env = await given(emulator, told, read({ mock: true, env: {} }));
    return { code, text: out, told, declarations: read({ env }), env };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(argv: readonly string[], { baseUrl, token, workspace }: Emulator, answers: string) {
  let [out, told] = ["", ""];
  const into = (add: (text: string) => void) =>
    new Writable({
      // Decoding would lose the parts of surrogate pairs.
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        add(chunk);
        done();
      },
    });
  const code = await runMain(argv, {
    ...terminalPort,
    stdin: new PassThrough(),
    stdout: into((text) => (out += text)),
    stderr: into((text) => (told += text)),
    env: {
      WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: token,
      WORKSPACE_AUTOMATION_DOMAIN: workspace,
      WORKSPACE_AUTOMATION_ANSWERS: answers,
    },
    interactive: false,
    colors: pc.createColors(false),
  });
  return { code, out, told };
}

const MOCK = "mock-";
const MOCKS = /mock-\w+/g;
const variableOf = (mock: string) => `WORKSPACE_VAR_${mock.slice(MOCK.length)}`;

/**
 * Provides values for the placeholders: those of the service if it shows them (likely secrets that are not encrypted),
 * and invented ones of the right form otherwise.
 */
async function given(
  { baseUrl, token, workspace }: Emulator,
  told: string,
  declarations: readonly ResourceDeclaration[],
): Promise<Record<string, string>> {
  const asked = new Set([...told.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name = ""]) => name));
  const env: Record<string, string> = {};
  if (asked.size === 0) return env;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const { objects } = await discoverWorkspace(connection, { enters: () => true, opens: () => true });
  const live = new Map(objects.map(({ name, args }) => [name, args]));
  const walk = (declared: unknown, seen: unknown, masked: boolean): void => {
    if (typeof declared === "string") {
      // A placeholder may stand for a part of the text.
      const found = [...declared.matchAll(MOCKS)].filter(([mock]) => asked.has(variableOf(mock)));
      const between = declared.split(MOCKS).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const form = new RegExp(`^${between.join("([^]*?)")}$`);
      const shown = typeof seen === "string" && !masked ? form.exec(seen) : null;
      for (const [index, [mock]] of found.entries())
        env[variableOf(mock)] = shown?.[index + 1] ?? madeUp(variableOf(mock));
    } else if (typeof declared === "object" && declared !== null)
      for (const [key, value] of Object.entries(declared))
        walk(value, (seen as Record<string, unknown> | undefined)?.[key], masked);
  };
  for (const { name, args } of declarations)
    for (const [arg, value] of Object.entries(args))
      walk(value, live.get(name)?.[arg], arg === "value" && args["encrypted"] === true);
  return env;
}

function madeUp(variable: string): string {
  if (/CRON(_\d+)?$/.test(variable)) return "0 2 * * *";
  return /DELAY(_\d+)?$/.test(variable) ? "1440" : `given for ${variable}`;
}
