/** What the words of the command line mean: a connection, a workspace file, or a stack. */
import { existsSync } from "node:fs";
import { credentialsFile, DEFAULT_CONNECTION, readCredentials } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { findProject, mayHaveStacks } from "../../engine/stack/project.js";
import { sideKinds, type SideKind } from "./classes.js";

interface Named {
  /** What the side is called in the report. */
  readonly name: string;
}

export interface ConnectionSpec extends Named {
  readonly kind: "connection";
  /** Absent: the connection that is meant when none is named. */
  readonly connection: string | undefined;
  /** Domain, when it is another one than the connection's. */
  readonly workspace: string | undefined;
}

export interface FileSpec extends Named {
  readonly kind: "file";
  readonly file: string;
  readonly overlays: readonly string[];
}

export interface StackSpec extends Named {
  readonly kind: "stack";
  readonly stack: string;
  /** The workspace file, or the folder, whose project the stack belongs to. */
  readonly file: string;
  /** Nobody said that it is a stack. */
  readonly guessed?: boolean;
}

export type SideSpec = ConnectionSpec | FileSpec | StackSpec;

export interface SpecOptions {
  readonly left: string;
  readonly right: string;
  /** The workspace file whose project stacks belong to, unless they name another. */
  readonly file: string;
}

/** Stands for the standard input. */
const STDIN = "-";

/**
 * What the two words mean.
 * @throws {CliError} when a word could mean two things, or means nothing
 */
export function specsOf(options: SpecOptions, io: Io): readonly [SideSpec, SideSpec] {
  const left = specOf(options.left, options, io);
  const right = specOf(options.right, options, io);
  if (left.kind === "file" && right.kind === "file" && left.file === STDIN && right.file === STDIN)
    throw new CliError(
      "the standard input can be one side only: name a file, a connection or a stack for the other",
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

function specOf(word: string, options: SpecOptions, io: Io): SideSpec {
  const [prefix = "", ...rest] = word.split(":");
  const kind = sideKinds.find((one) => one === prefix);
  if (kind !== undefined && rest.length > 0) return explicit(kind, rest.join(":"), options);
  const found = meanings(word, options, io);
  const [first] = found;
  if (first === undefined) throw nothing(word, options, io);
  // A stack is often called as its connection: the live workspace is meant then.
  const certain = found.filter((one) => one !== "stack");
  if (certain.length > 1)
    throw new CliError(
      `"${word}" could be ${certain.map((one) => `the ${one}`).join(" or ")}: say ${certain.map((one) => `${one}:${word}`).join(" or ")}`,
    );
  const spec = explicit(first, word, options);
  return spec.kind === "stack" ? { ...spec, guessed: true } : spec;
}

function explicit(kind: SideKind, text: string, { file }: SpecOptions): SideSpec {
  if (kind === "file") return fileSpec(text);
  if (kind === "stack") {
    const at = text.indexOf("@");
    const [stack, place] = at < 0 ? [text, file] : [text.slice(0, at), text.slice(at + 1)];
    if (stack === "" || place === "") throw new CliError("a stack is named stack:NAME, or stack:NAME@FILE");
    return { kind, name: text, stack, file: place };
  }
  const [connection = "", ...domain] = text.split("/");
  const workspace = domain.join("/");
  return {
    kind,
    name: text === "" ? "live" : text,
    connection: connection === "" ? undefined : connection,
    workspace: workspace === "" ? undefined : workspace,
  };
}

/** `workspace.yaml+workspace.eu.yaml`: the overlays follow the file. */
function fileSpec(text: string): FileSpec {
  const [file = "", ...overlays] = text === STDIN || existsSync(text) ? [text] : text.split("+");
  const absent = [file, ...overlays].find((one) => one !== STDIN && !existsSync(one));
  if (absent !== undefined) throw new CliError(`there is no file ${absent} (looked in ${process.cwd()})`);
  return { kind: "file", name: text, file, overlays };
}

/** All that a word could mean. */
function meanings(word: string, { file }: SpecOptions, io: Io): SideKind[] {
  const isFile =
    word === STDIN || existsSync(word) || (word.includes("+") && existsSync(word.split("+")[0] ?? ""));
  const mayBeStack = /^[\w.-]+(\/[\w.-]+){0,2}$/.test(word) && !looksLikeFile(word);
  return [
    ...(isFile ? ["file" as const] : []),
    ...(connections(io).includes(word) || hasVariables(word, io) ? ["connection" as const] : []),
    ...(mayBeStack && mayHaveStacks(findProject(file), io.env) ? ["stack" as const] : []),
  ];
}

/** Names of the connections that were logged in to. */
function connections({ env }: Io): string[] {
  return Object.keys(readCredentials(credentialsFile(env)).connections);
}

/** Connections of the environment, as their variables spell them. */
function ofEnvironment({ env }: Io): string[] {
  const names = Object.keys(env).map((name) => /^WORKSPACE_AUTOMATION_(\w+)_BASE_URL$/.exec(name)?.[1]);
  return names.flatMap((name) => (name === undefined ? [] : [name.toLowerCase().replaceAll("_", "-")]));
}

/** Is the connection one of the environment's? */
function hasVariables(name: string, { env }: Io): boolean {
  if (env["WORKSPACE_AUTOMATION_CONNECTION"] === name) return true;
  const own = `WORKSPACE_AUTOMATION_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_`;
  return ["BASE_URL", "TOKEN"].some((variable) => Boolean(env[own + variable]));
}

function looksLikeFile(word: string): boolean {
  return /\.(ya?ml|json|[cm]?[jt]s)$/i.test(word) || /[\\/]$/.test(word);
}

function nothing(word: string, { file }: SpecOptions, io: Io): CliError {
  const known = [...new Set([...connections(io), ...ofEnvironment(io)])].filter(
    (name) => name !== DEFAULT_CONNECTION,
  );
  const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
  return new CliError(
    `"${word}" is neither a file (looked in ${process.cwd()}), nor a connection (${there}), nor a stack (the project of ${file} ` +
      `has none): name a file, or log in with "workspacectl login --connection ${word}"`,
  );
}
