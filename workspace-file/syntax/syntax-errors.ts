/** Explains why a text is not YAML, with one problem per mistake. */
import { type Document, isMap, isScalar, isSeq, visit, type YAMLError } from "yaml";
import { createDiagnostic, type Diagnostic } from "./diagnostics.js";
import type { Source } from "./source.js";

/** Messages by the library's error codes. Other errors keep the library's message. */
const WORDS: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  BAD_ALIAS:
    "`*` begins an alias and must be followed by a name: write a string that begins with * in quotes",
  BAD_DIRECTIVE: "this line is not a YAML directive: remove it",
  BAD_DQ_ESCAPE:
    "this is not a valid escape in double quotes: write the backslash twice, or use single quotes",
  BAD_INDENT: "the indentation is wrong: what belongs together begins in the same column",
  BAD_SCALAR_START: "an unquoted string cannot begin with this character: write it in quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "this neither continues the line above nor begins a new level: check the indentation, and quote a string that contains `: `",
  BLOCK_IN_FLOW: "this is not expected inside { } or [ ]: is a comma or a bracket missing before it?",
  MISSING_CHAR:
    "something is missing before this: a colon after a key, a comma, or a closing quote or bracket",
  MULTILINE_IMPLICIT_KEY:
    "this has no colon on its own line: is a colon missing, or is the indentation wrong?",
  MULTIPLE_DOCS:
    "a file contains one document: remove `---` and what follows, or move it to a file of its own",
  TAB_AS_INDENT: "indent with spaces: YAML allows no tabs here",
  TAG_RESOLVE_FAILED: "tags are not supported: remove it",
  UNEXPECTED_TOKEN: "this is not expected here: check the brackets, quotes and indentation before it",
};

const CONFLICT =
  "this is a conflict of a merge in Git: keep one of both versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>";

/** Maximum number of reported mistakes. A text with more is not YAML at all. */
const MOST = 60;

/**
 * Returns the first mistake of each line, since further ones only follow from it.
 * @param mayQuote whether a message may quote the text, as some of the library's do
 */
export function listSyntaxProblems(document: Document, source: Source, mayQuote: boolean): Diagnostic[] {
  const conflict = /^<{7} /m.exec(source.text);
  if (conflict !== null && document.errors.length > 0)
    return [createDiagnostic({ source, offset: conflict.index }, { code: "syntax", message: CONFLICT })];
  const byLine = new Map<number, YAMLError>();
  for (const error of [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    const { line } = source.locate(error.pos[0]);
    if (!byLine.has(line)) byLine.set(line, error);
    if (byLine.size > MOST) break;
  }
  return [...byLine.values()].map((error) => {
    const opened = findOpenedBefore(document, error);
    const at = { source, offset: opened?.offset ?? error.pos[0] };
    const own = mayQuote ? error.message.split("\n")[0] : "this is not YAML";
    const message = opened?.message ?? WORDS[error.code] ?? own ?? "";
    return createDiagnostic(at, { code: "syntax", message });
  });
}

/** Returns where an unclosed quote or bracket was opened. The parser notices it only at the end. */
function findOpenedBefore(
  document: Document,
  { message, pos }: YAMLError,
): { offset: number; message: string } | undefined {
  const closing = /end with a ([\]}])|^Missing closing (["'])/.exec(message);
  const wanted = closing?.[1] ?? closing?.[2];
  if (wanted === undefined) return undefined;
  let offset: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, , end] = node.range ?? [0, 0, 0];
      const fits =
        wanted === "]" || wanted === "}"
          ? (wanted === "]" ? isSeq(node) : isMap(node)) && (node as { flow?: boolean }).flow === true
          : isScalar(node) && node.type?.startsWith("QUOTE") === true;
      if (fits && start < pos[0] && end >= pos[0]) offset = start;
    },
  });
  if (offset === undefined) return undefined;
  return { offset, message: `this is not closed: a ${wanted} is missing` };
}
