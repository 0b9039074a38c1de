/** Runs `workspacectl compare`, whose arguments name two sources: connections, files or stacks. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { compareReport } from "../../../automation/compare/build-compare-report.js";
import {
  compareBaseline,
  compareFailOn,
  type CompareReport,
  EXCEPTIONS_FILE,
  exceptionsFile,
} from "../../../automation/compare/compare-report.js";
import { compareSources } from "../../../automation/compare/compare-sources.js";
import { readMapping } from "../../../automation/compare/mapping-file.js";
import { withMapping } from "../../../automation/compare/match-names.js";
import { readSources } from "../../../automation/compare/sources/read-sources.js";
import type { FileSpec, SourceSpec } from "../../../automation/compare/sources/source-spec.js";
import { readLogins, warnOfDifferences } from "../../../automation/connection/connection.js";
import { AutomationError } from "../../../automation/errors.js";
import { buildScope } from "../../../automation/export/scope.js";
import { type SourceKind, sourceKinds } from "../../../automation/report/finding-classes.js";
import { publishReport } from "../../../automation/report/findings-report.js";
import type { Report } from "../../../automation/report/report-view.js";
import { findBackend, mayHaveStacks } from "../../../automation/stack/backend.js";
import { findProject } from "../../../automation/stack/project.js";
import { type ConnectionProfile, DEFAULT_CONNECTION, resolveConnection } from "../../../provider/index.js";
import { openDelivery } from "../../../reports/deliver-report.js";
import { addAges, readFindingRecord, recordFindings } from "../../../reports/finding-record.js";
import type { Io } from "../../../reports/io.js";
import { compareView } from "../../../reports/views/compare-view.js";
import type { CompareOptions } from "./compare-command.js";

/** Compares two workspaces, files or stacks. Writes none of them. */
export async function compare(options: CompareOptions, io: Io): Promise<number> {
  const { deliver } = openDelivery<CompareReport>(options, io);
  const before = options.stateFile === undefined ? [] : readFindingRecord(options.stateFile);
  const found = await compareWorkspaces(options, io);
  const record = recordFindings(before, found);
  const report = options.stateFile === undefined ? found : addAges(found, record);
  const kept = { ...compareBaseline(report), findings: record };
  await deliver(report, (aged) => describeComparison(aged, options), kept);
  return report.exitCode;
}

/** Converts a comparison to its published data and its view. */
export function describeComparison(report: CompareReport, options: CompareOptions): Report {
  return { value: publishReport(report, ["left", "right"]), view: compareView(report, options) };
}

/** Reads two workspaces, files or stacks, and compares them. */
export async function compareWorkspaces(options: CompareOptions, io: Io): Promise<CompareReport> {
  const began = Date.now();
  const suppressions = exceptionsFile.read(options.exceptions, EXCEPTIONS_FILE);
  const scope = buildScope(options);
  const specs = parseSpecs(options, io);
  const [one, other] = specs.map((spec) => ({ name: spec.name, profile: findProfile(spec, io) }));
  if (one !== undefined && other !== undefined) warnOfDifferences(one, other, io);
  const written = specs.find((spec) => spec.kind === "file" && spec.file !== "-");
  const mapping = readMapping(options.mapping, written?.kind === "file" ? written.file : options.file);
  const people = [options.leftPeople, options.rightPeople] as const;
  const { allowPath: allowPaths, wait = false } = options;
  const reading = { scope, allowPaths, file: options.file, people, wait };
  const [left, right] = await readSources(specs, reading, io);

  // The key is random, so nobody can guess a secret by fingerprinting candidates.
  const key = randomBytes(32).toString("hex");
  const compared = compareSources(withMapping(left, right, mapping), right, key, scope.includes);
  return compareReport({
    left,
    right,
    compared,
    mapping: mapping.file,
    suppressions,
    scoped: [options.kinds, options.project, options.name].some((one) => one !== undefined),
    failOn: options.failOn ?? compareFailOn,
    now: new Date(),
    milliseconds: Date.now() - began,
  });
}

/** The profile of a connection, if it has one. */
function findProfile(spec: SourceSpec, io: Io): ConnectionProfile | undefined {
  if (spec.kind !== "connection") return undefined;
  const explicit = spec.connection === undefined ? {} : { connection: spec.connection };
  return resolveConnection({ explicit, env: io.env, credentials: readLogins(io.env) }).profile;
}

interface SpecOptions {
  readonly left: string;
  readonly right: string;
  /** Workspace file whose project stacks belong to, unless they choose another. */
  readonly file: string;
}

/** Represents standard input. */
const STDIN = "-";

/**
 * Interprets both arguments.
 * @throws {AutomationError} when an argument is ambiguous or matches nothing
 */
function parseSpecs(options: SpecOptions, io: Io): readonly [SourceSpec, SourceSpec] {
  const left = parseSpec(options.left, options, io);
  const right = parseSpec(options.right, options, io);
  if (left.kind === "file" && right.kind === "file" && left.file === STDIN && right.file === STDIN)
    throw new AutomationError(
      'both sides are "-", but standard input can be read only once',
      "use a file, a connection or a stack for the other side",
    );
  if (left.name !== right.name) return [left, right];
  if (left.kind !== right.kind)
    return [
      { ...left, name: `${left.kind}:${left.name}` },
      { ...right, name: `${right.kind}:${right.name}` },
    ];
  return [
    { ...left, name: `${left.name} (left)` },
    { ...right, name: `${right.name} (right)` },
  ];
}

function parseSpec(word: string, options: SpecOptions, io: Io): SourceSpec {
  const [prefix = "", ...rest] = word.split(":");
  const kind = sourceKinds.find((one) => one === prefix);
  if (kind !== undefined && rest.length > 0) return createExplicitSpec(kind, rest.join(":"), options);
  const found = listMeanings(word, options, io);
  const [first] = found;
  if (first === undefined) throw createNothingFoundError(word, options, io);
  // A stack often has the name of its connection. The live workspace is meant then.
  const certain = found.filter((one) => one !== "stack");
  if (certain.length > 1)
    throw new AutomationError(
      `"${word}" could be ${certain.map((one) => `the ${one}`).join(" or ")}`,
      `write ${certain.map((one) => `${one}:${word}`).join(" or ")}`,
    );
  const spec = createExplicitSpec(first, word, options);
  return spec.kind === "stack" ? { ...spec, guessed: true } : spec;
}

function createExplicitSpec(kind: SourceKind, text: string, { file }: SpecOptions): SourceSpec {
  if (kind === "file") return createFileSpec(text);
  if (kind === "stack") {
    const at = text.indexOf("@");
    const [stack, stackFile] = at < 0 ? [text, file] : [text.slice(0, at), text.slice(at + 1)];
    if (stack === "" || stackFile === "")
      throw new AutomationError(
        `"stack:${text}" contains no name of a stack`,
        "write stack:NAME, or stack:NAME@FILE",
      );
    return { kind, name: text, stack, file: stackFile };
  }
  const [connection = "", ...domain] = text.split("/");
  const workspace = domain.join("/");
  return {
    kind,
    name: text === "" ? "live" : text,
    ...(connection === "" ? {} : { connection }),
    ...(workspace === "" ? {} : { workspace }),
  };
}

/** `workspace.yaml+workspace.eu.yaml`: overlays follow the file. */
function createFileSpec(text: string): FileSpec {
  const [file = "", ...overlays] = text === STDIN || existsSync(text) ? [text] : text.split("+");
  const absent = [file, ...overlays].find((one) => one !== STDIN && !existsSync(one));
  if (absent !== undefined)
    throw new AutomationError(
      `there is no file ${absent} (looked in ${process.cwd()})`,
      "correct the path, or run the command in the folder of the file",
    );
  return { kind: "file", name: text, file, overlays };
}

/** Lists everything that an argument could mean. */
function listMeanings(word: string, { file }: SpecOptions, io: Io): SourceKind[] {
  const isFile =
    word === STDIN || existsSync(word) || (word.includes("+") && existsSync(word.split("+")[0] ?? ""));
  const mayBeStack = /^[\w.-]+(\/[\w.-]+){0,2}$/.test(word) && !looksLikeFile(word);
  return [
    ...(isFile ? ["file" as const] : []),
    ...(listConnectionNames(io).includes(word) || hasVariables(word, io) ? ["connection" as const] : []),
    ...(mayBeStack && hasStacks(file, io.env) ? ["stack" as const] : []),
  ];
}

/** Names of the connections with stored credentials. */
function listConnectionNames({ env }: Io): string[] {
  return Object.keys(readLogins(env).connections);
}

/** Names of the connections in the environment, as their variables spell them. */
function listConnectionsOfEnvironment({ env }: Io): string[] {
  const names = Object.keys(env).map((name) => /^WORKSPACE_AUTOMATION_(\w+)_BASE_URL$/.exec(name)?.[1]);
  return names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase().replaceAll("_", "-")]));
}

/** Whether the environment defines the connection. */
function hasVariables(name: string, { env }: Io): boolean {
  if (env["WORKSPACE_AUTOMATION_CONNECTION"] === name) return true;
  const own = `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`;
  return ["BASE_URL", "TOKEN"].some((variable) => Boolean(env[own + variable]));
}

function looksLikeFile(word: string): boolean {
  return /\.(ya?ml|json|[cm]?[jt]s)$/i.test(word) || /[\\/]$/.test(word);
}

function createNothingFoundError(word: string, { file }: SpecOptions, io: Io): AutomationError {
  const known = [...new Set([...listConnectionNames(io), ...listConnectionsOfEnvironment(io)])].filter(
    (name) => name !== DEFAULT_CONNECTION,
  );
  const there = known.length === 0 ? "there are none" : `existing: ${known.join(", ")}`;
  return new AutomationError(
    `"${word}" is neither a file (looked in ${process.cwd()}), nor a connection (${there}), nor a stack (the project of ${file} has none)`,
    `use the path of a file, or log in with "workspacectl login --connection ${word}"`,
  );
}

function hasStacks(file: string, env: NodeJS.ProcessEnv): boolean {
  const project = findProject(file);
  return mayHaveStacks(project, findBackend(project, env));
}
