/** Writes what Pulumi has changed in the settings of a stack into the user's file, in whose spelling everything else stays. */
import { type Document, isMap, type Node, parseDocument, Scalar, visit, YAMLMap } from "yaml";
import { isSameJson } from "../../diff/values.js";

export type Content = Readonly<Record<string, unknown>>;

interface Change {
  /** A key of the file, or `config` and a key of it. */
  readonly path: readonly string[];
  /** Undefined for what was removed. */
  readonly value: unknown;
}

/** Pulumi keeps scalars of the configuration as text, so what it saves of a number is not a change. */
export function asPulumiSaves(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** The changed keys; those of `config` each on its own. */
export function diffSettings(before: Content, after: Content): Change[] {
  const { config: configBefore = {}, ...restBefore } = before;
  const { config: configAfter = {}, ...restAfter } = after;
  return [
    ...diffKeys(restBefore, restAfter, []),
    ...diffKeys(configBefore as Content, configAfter as Content, ["config"]),
  ];
}

function diffKeys(before: Content, after: Content, path: readonly string[]): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isSameJson(before[key], after[key]))
    .map((key) => ({ path: [...path, key], value: after[key] }));
}

/**
 * Returns the text of the file with the changes. All scalars are read as text, so that digits, dates and words stay as they are written.
 * @param namespace of keys that the file may have without one
 */
export function applyChanges(
  text: string,
  changes: readonly Change[],
  { namespace, json }: { readonly namespace: string; readonly json: boolean },
): string {
  const document: Document = parseDocument(text, { schema: "failsafe" });
  const content = isMap(document.contents) ? document.contents : new YAMLMap(document.schema);
  document.contents = content;
  for (const { path, value } of changes) {
    const spelled = spellAsThere(content, path, namespace);
    if (value === undefined) document.deleteIn(spelled);
    else document.setIn(spelled, createNode(document, value));
  }
  const quoted = json ? ({ defaultKeyType: "QUOTE_DOUBLE", defaultStringType: "QUOTE_DOUBLE" } as const) : {};
  return document.toString({ lineWidth: 0, ...quoted });
}

/** The path of a value with the key that the file has already: with the namespace or without it. */
function spellAsThere(content: YAMLMap, path: readonly string[], namespace: string): readonly string[] {
  const [section, key] = path;
  if (section === undefined || key === undefined || content.hasIn(path)) return path;
  const short = key.startsWith(`${namespace}:`) ? key.slice(namespace.length + 1) : undefined;
  return short !== undefined && content.hasIn([section, short]) ? [section, short] : path;
}

/** Quotes texts that readers would take for something else, since the document itself holds only text. */
function createNode(document: Document, value: unknown): Node {
  const node = document.createNode(value);
  visit(node, {
    Scalar(_key, scalar) {
      if (typeof scalar.value === "string" && !readsAsText(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}

function readsAsText(text: string): boolean {
  return (["1.1", "1.2"] as const).every((version) => {
    const document = parseDocument(text, { version, logLevel: "silent" });
    return document.errors.length > 0 || document.toJS() === text;
  });
}
