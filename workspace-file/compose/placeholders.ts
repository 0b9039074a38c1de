/**
 * Placeholders in the texts of a workspace file: `${env:NAME}`, `${file:path}`, ... With `secret:` before the kind, as in
 * `${secret:env:NAME}`, a value is hidden wherever it is used. A `$` before a placeholder makes it an ordinary text: `$${env:NAME}` is
 * `${env:NAME}`. Before everything else, a `$` is one of the shell: `$${X}` and `$$${X}` stay as they are.
 */
import { formatHint } from "../../resources/definition/problems.js";
import { MASK } from "../../resources/definition/secrets/mask.js";
import { TrustError } from "../../trust/errors.js";
import type { SecretOrigin, SecretReference } from "../../trust/references.js";
import {
  type Environment,
  formatMissingVariable,
  readVariable,
  refuseConfiguration,
} from "../../trust/variables.js";
import { createDiagnostic, type Diagnostic } from "../syntax/diagnostics.js";
import type { Position, Source } from "../syntax/source.js";
import {
  Interpolated,
  type LeafTree,
  mapLeaves,
  type OutputReference,
  type Placeholder,
  type Tree,
} from "../syntax/tree.js";
import {
  append,
  isPlaceholderKind,
  isShellSyntax,
  joinPieces,
  parseVariable,
  placeholderKinds,
  splitPieces,
} from "./placeholder-text.js";

export {
  escapePlaceholders,
  joinPieces,
  listEscapes,
  parseVariable,
  splitPieces,
  unescapePlaceholders,
} from "./placeholder-text.js";

/** Error for a placeholder that is not replaced. */
class SourceRefusal extends Error {}

/** Value of the stack's configuration. */
export interface ConfigValue {
  readonly value: string;
  readonly secret: boolean;
  /** The caller has passed it, so the provider cannot read it from the stack's configuration itself. */
  readonly passed?: boolean;
  /** It stands for a value that is not known yet. */
  readonly mock?: boolean;
}

/** Sources of the values of placeholders. */
export interface Sources {
  readonly env: Environment;
  /** Returns a value of the stack's configuration by key, if it is set. */
  readonly config: (key: string) => ConfigValue | undefined;
  /** Whether a value of the stack's configuration is secret, where a mock value stands for it. */
  readonly secretConfig: (key: string) => boolean;
  /** Returns the text of a file, given by a path relative to another file. Throws an Error that explains a failure. */
  readonly readFile: (path: string, from: Source) => string;
  /** Whether to use mock values where there are none. */
  readonly mock: { readonly env: boolean; readonly config: boolean };
  /** Whether the provider reads secrets, so that they may be missing now. */
  readonly secretsLater: boolean;
  /** Returns the path of a file from the working directory, given relative to another file. */
  readonly pathTo: (path: string, from: Source) => string;
}

type Filled =
  string | { readonly value: string; readonly secret?: boolean; readonly mock?: boolean } | OutputReference;
/** Returns the value for the text between `${kind:` and `}`. Throws a `SourceRefusal`. */
type Fill = (body: string, sources: Sources, at: Position) => Filled;

const fillings: Readonly<Record<(typeof placeholderKinds)[number], Fill>> = {
  env(body, { env, mock }) {
    const [name, otherwise] = parseVariable(body);
    if (name === "")
      throw new SourceRefusal(
        "this placeholder needs the name of an environment variable, such as ${env:NAME}",
      );
    const value = readVariable(name, env);
    if (value !== undefined && value !== "") return value;
    if (otherwise !== undefined) return otherwise;
    if (mock.env) return { value: `mock-${name}`, mock: true };
    throw new SourceRefusal(formatMissingVariable(name, env));
  },
  config(key, { config, secretConfig, mock }) {
    if (key === "")
      throw new SourceRefusal(
        "this placeholder needs a key of the stack's configuration, such as ${config:api-key}",
      );
    refuseConfiguration(key);
    const found = config(key);
    if (found !== undefined && found.value !== "") return found;
    if (mock.config) return { value: `mock-${key}`, mock: true, secret: secretConfig(key) };
    const state = found === undefined ? "not set" : "empty";
    throw new SourceRefusal(
      `the stack's configuration ${key} is ${state}: set it with "workspacectl config set ${key} VALUE" (for a secret: "workspacectl config set ${key} --secret", which asks for the value)`,
    );
  },
  file: (path, { readFile }, { source }) => readFile(path, source),
  ref(body, _sources, at) {
    const dot = body.lastIndexOf(".");
    const [name, output] = [body.slice(0, dot), body.slice(dot + 1)];
    if (dot > 0 && output !== "") return { name, output, at };
    throw new SourceRefusal(
      "this placeholder needs an object and one of its outputs, such as ${ref:projects/web.httpRepository}",
    );
  },
  secret() {
    throw new SourceRefusal(
      "this placeholder needs the source of the secret: write ${secret:env:NAME}, ${secret:file:path} or ${secret:config:key}",
    );
  },
  param() {
    throw new SourceRefusal(
      "${param:...} can be used only in a template (below templates): write the value itself here",
    );
  },
};

/** Maximum size of all texts with their placeholders replaced. */
const MAX_FILLED = 16 * 1024 * 1024;

const requests = "where requests are sent: write the value itself, or use an overlay for each stack";
const withoutPlaceholders = {
  workspace: requests,
  connection: requests,
  stack: "which state is used: write the value itself, or set PULUMI_STACK",
};

/** Finds placeholders in the values that say where the workspace and its state are. */
export function listPlaceholdersInAddress(tree: Tree): { leaf: LeafTree; problem: Diagnostic }[] {
  return Object.entries(withoutPlaceholders).flatMap(([key, why]) => {
    const leaf = tree.kind === "map" ? tree.entries.get(key)?.value : undefined;
    if (leaf?.kind !== "leaf" || typeof leaf.value !== "string") return [];
    const found = splitPieces(leaf.value).find((piece) => typeof piece === "object");
    if (found === undefined) return [];
    const message = `"${key}" cannot contain a placeholder, because it decides ${why}`;
    return {
      leaf,
      problem: createDiagnostic(getPositionIn(leaf, found.whole), { code: "placeholder", message }),
    };
  });
}

/** Replaces the placeholders in the values of a document, and reports those that cannot be replaced. */
export function fillPlaceholders(tree: Tree, sources: Sources): { tree: Tree; problems: Diagnostic[] } {
  const refused = listPlaceholdersInAddress(tree);
  const problems = refused.map(({ problem }) => problem);
  const skipped = new Set(refused.map(({ leaf }) => leaf));
  let size = 0;
  const filled = mapLeaves(tree, (leaf) => {
    if (skipped.has(leaf) || typeof leaf.value !== "string" || size > MAX_FILLED) return leaf;
    if (leaf.pieces === undefined && !leaf.value.includes("${")) return leaf;
    const whole = fillLeaf(leaf, sources, problems);
    size += typeof whole.value === "string" ? whole.value.length : leaf.value.length;
    if (size > MAX_FILLED) {
      const message = "the placeholders up to here expand to more than 16 MB of text: remove some";
      problems.push(createDiagnostic(leaf.at, { code: "too-large", message }));
    }
    return whole;
  });
  return { tree: filled, problems };
}

function fillLeaf(leaf: LeafTree, sources: Sources, problems: Diagnostic[]): LeafTree {
  const pieces = leaf.pieces ?? splitPieces(leaf.value as string);
  const values: (string | OutputReference)[] = [];
  const parts: (string | SecretReference)[] = [];
  const secretTexts: string[] = [];
  const marks: { secret?: true; mock?: true; missing?: Diagnostic } = {};
  // A mock value represents the secret itself: nothing is sent.
  let isReadable = !sources.mock.env;
  const add = (value: string | OutputReference, reference?: SecretReference) => {
    append(values, value);
    if (reference !== undefined || typeof value === "string") append(parts, reference ?? (value as string));
  };
  let from = leaf.at.offset;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      add(piece);
      continue;
    }
    const at = piece.at ?? getPositionIn(leaf, piece.whole, from);
    if (piece.at === undefined) from = at.offset + 1;
    const reference = piece.secret ? findReferenceTo(piece, sources, at) : undefined;
    if (piece.secret) {
      marks.secret = true;
      isReadable &&= reference !== undefined;
    }
    try {
      const filled = fill(piece, sources, at);
      if (typeof filled === "string" || "output" in filled) {
        if (piece.secret && typeof filled === "string") secretTexts.push(filled);
        add(filled, reference);
        continue;
      }
      if (filled.secret) marks.secret = true;
      if (piece.secret || filled.secret) secretTexts.push(filled.value);
      if (filled.mock) marks.mock = true;
      add(filled.value, reference);
    } catch (error) {
      const code = error instanceof TrustError ? "forbidden-source" : "placeholder";
      const problem = createDiagnostic(at, { message: (error as Error).message, code });
      if (piece.secret && sources.secretsLater && code === "placeholder") marks.missing = problem;
      else problems.push(problem);
      marks.mock = true;
      add(piece.whole, reference);
    }
  }
  const plain = values.every((value) => typeof value === "string");
  return {
    ...leaf,
    pieces,
    value: plain ? values.join("") : new Interpolated(values),
    written: leaf.pieces === undefined ? (leaf.value as string) : (joinPieces(pieces) ?? MASK),
    ...(plain && isReadable && marks.secret ? { parts } : {}),
    ...(marks.secret ? { secretTexts } : {}),
    ...marks,
  };
}

/** The reference by which the provider reads a secret itself; undefined for a secret with a default. */
function findReferenceTo(
  { kind, body }: Placeholder,
  { pathTo, config }: Sources,
  at: Position,
): SecretReference | undefined {
  if (kind === "config" && config(body)?.passed === true) return undefined;
  const [name, otherwise] = kind === "env" ? parseVariable(body) : [body];
  if (otherwise !== undefined) return undefined;
  return { origin: kind as SecretOrigin, name: kind === "file" ? pathTo(body, at.source) : name };
}

/** Returns the exact position of a placeholder, which appears unchanged in the source. */
export function getPositionIn({ at, end }: LeafTree, whole: string, from = at.offset): Position {
  const found = at.source.text.indexOf(whole, from);
  return found >= 0 && found < end ? { source: at.source, offset: found } : at;
}

function fill({ kind, body, whole }: Placeholder, sources: Sources, at: Position): Filled {
  const known = isPlaceholderKind(kind) ? fillings[kind] : undefined;
  // `${env:-x}` is the default of a variable of the shell, which is called like a kind.
  if (known && isShellSyntax(body))
    throw new SourceRefusal(
      `"${whole}" is not a placeholder of this file, because "${body}" is not a name. For a shell to expand it when it runs, write $${whole}`,
    );
  if (known && body.includes("${"))
    throw new SourceRefusal("a placeholder cannot contain another one: write the inner value itself");
  if (known) return known(body, sources, at);
  throw new SourceRefusal(
    `"${whole}" is not a placeholder${formatHint(kind, placeholderKinds) || `: they are ${placeholderKinds.join(", ")}.`} ` +
      `For a literal ${whole}, write $${whole}`,
  );
}
