/** `${env:NAME}` and `${file:path}` in the texts of a workspace file. `$${` is a literal `${`. */
import { isScalar, visit, type Document, type Node } from "yaml";

/** Where placeholders take their values from. */
export interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of a file named relative to the workspace file. Throws an Error whose message says what is wrong. */
  readonly readFile: (path: string) => string;
}

/** A placeholder that could not be filled, at the scalar it stands in. */
export interface UnfilledPlaceholder {
  readonly node: Node;
  readonly message: string;
}

const placeholder = /\$\$\{|\$\{([^}]*)\}/g;

/** Fills the placeholders of a parsed document in place; keys are left as they are. */
export function interpolate(document: Document, sources: Sources): UnfilledPlaceholder[] {
  const unfilled: UnfilledPlaceholder[] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === "key" || !isScalar<unknown>(node) || typeof node.value !== "string") return;
      if (!node.value.includes("${")) return;
      node.value = node.value.replace(placeholder, (whole, inner: string | undefined) => {
        if (inner === undefined) return "${";
        const result = fill(inner.trim(), sources);
        if ("value" in result) return result.value;
        unfilled.push({ node, message: result.problem });
        return whole;
      });
    },
  });
  return unfilled;
}

function fill(inner: string, sources: Sources): { value: string } | { problem: string } {
  const [kind, rest] = splitOnce(inner, ":");
  switch (kind) {
    case "env": {
      const value = sources.env[rest];
      if (value !== undefined && value !== "") return { value };
      const state = value === undefined ? "not set" : "empty";
      return { problem: `the environment variable ${rest} is ${state}: set it before running the command` };
    }
    case "file":
      try {
        return { value: sources.readFile(rest) };
      } catch (error) {
        return { problem: (error as Error).message };
      }
    default:
      return {
        problem: `"\${${inner}}" is not a placeholder: write \${env:NAME} or \${file:path}, or $\${ for a literal \${`,
      };
  }
}

function splitOnce(whole: string, separator: string): [string, string] {
  const at = whole.indexOf(separator);
  return at < 0 ? [whole, ""] : [whole.slice(0, at), whole.slice(at + 1)];
}
