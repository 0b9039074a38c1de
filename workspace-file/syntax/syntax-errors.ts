/** Explains why a text is not YAML, with one problem per mistake, and without what only follows from another. */
import { type Document, isMap, isScalar, isSeq, visit, type YAMLError } from "yaml";
import { createDiagnostic, type Diagnostic } from "./diagnostics.js";
import type { Source } from "./source.js";

/** Messages by the library's error codes. Other errors keep the library's message. */
const WORDS: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  BAD_ALIAS:
    "`*` begins an alias and must be followed by a name: write a string that begins with * in quotes",
  BAD_DIRECTIVE: "this directive is none that YAML 1.2 has: remove the line",
  BAD_DQ_ESCAPE:
    "this is not a valid escape in double quotes: write the backslash twice, or use single quotes",
  BAD_INDENT: "the indentation is wrong: what belongs together begins in the same column",
  BAD_SCALAR_START: "an unquoted string cannot begin with this character: write it in quotes",
  BLOCK_AS_IMPLICIT_KEY:
    "this neither continues the line above nor begins a new level: check the indentation, and quote a string that contains `: `",
  BLOCK_IN_FLOW: "this is not expected inside { } or [ ]: is a comma or a bracket missing before it?",
  MISSING_CHAR:
    "something is missing before this: a colon after a key, a comma, a closing quote or bracket, or the indentation of a text after | or >",
  MULTILINE_IMPLICIT_KEY:
    "this has no colon on its own line: is a colon missing, or is the indentation wrong?",
  MULTIPLE_DOCS:
    "a file contains one document: remove `---` and what follows, or move it to a file of its own",
  TAB_AS_INDENT: "indent with spaces: YAML allows no tabs here",
  TAG_RESOLVE_FAILED: "tags (words that begin with !) are not supported: remove the tag",
  UNEXPECTED_TOKEN: "this is not expected here: check the brackets, quotes and indentation before it",
};

/** A line between the column of a list and that of its items. */
const BESIDE_ITEM =
  "the indentation is wrong, or `- ` is missing: this neither belongs to the item of the list above nor begins one";

/** An item of a list between keys. */
const BESIDE_KEYS =
  "`- ` begins an item of a list, but the lines above are keys: write `key: value`, or indent the item below its key";

/** After a mistake in the structure of the text, the parser takes the lines that follow for mistakes, too. */
const STRUCTURE: ReadonlySet<YAMLError["code"]> = new Set([
  "BAD_INDENT",
  "BLOCK_AS_IMPLICIT_KEY",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
]);

const CONFLICT =
  "this is a conflict of a merge in Git: keep one of both versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>";

/** Maximum number of reported mistakes. A text with more is not YAML at all. */
const MOST = 60;

/**
 * Returns the first mistake of each line, and the first one in the structure, since further ones only follow from it.
 * @param mayQuote whether a message may quote the text, as some of the library's do
 */
export function listSyntaxProblems(document: Document, source: Source, mayQuote: boolean): Diagnostic[] {
  const conflict = /^<{7} /m.exec(source.text);
  if (conflict !== null && document.errors.length > 0)
    return [createDiagnostic({ source, offset: conflict.index }, { code: "syntax", message: CONFLICT })];
  const byLine = new Map<number, YAMLError>();
  let isBroken = false;
  for (const error of [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    const { line } = source.locate(error.pos[0]);
    const isStructure = STRUCTURE.has(error.code);
    if (!byLine.has(line) && !(isStructure && isBroken)) byLine.set(line, error);
    isBroken ||= isStructure;
    if (byLine.size > MOST) break;
  }
  return [...byLine.values()].map((error) => {
    const cause =
      findOpenedBefore(document, error) ??
      findAsterisk(source, error) ??
      findBesideItem(source, error) ??
      findBesideKeys(source, error);
    const at = { source, offset: cause?.offset ?? error.pos[0] };
    const own = mayQuote ? ` (${error.message.split("\n")[0] ?? ""})` : "";
    const message =
      cause?.message ??
      WORDS[error.code] ??
      `this is not YAML${own}: check the tags, quotes, brackets and indentation here`;
    return createDiagnostic(at, { code: "syntax", message });
  });
}

/** What is wrong earlier than where the parser noticed it. */
interface Cause {
  readonly offset: number;
  readonly message: string;
}

/** Returns the beginning of a value that looks like an alias, such as a schedule that begins with an asterisk. */
function findAsterisk({ text }: Source, { code, message, pos }: YAMLError): Cause | undefined {
  if (code !== "UNEXPECTED_TOKEN" || !message.includes("at node end")) return undefined;
  const start = text.lastIndexOf("\n", pos[0] - 1) + 1;
  const [before] = /^[^*'"#]*(?:^|[:[,{-])[ \t]+(?=\*)/.exec(text.slice(start, pos[0])) ?? [];
  return before === undefined ? undefined : { offset: start + before.length, message: WORDS.BAD_ALIAS ?? "" };
}

function findBesideItem({ text }: Source, { message, pos }: YAMLError): Cause | undefined {
  if (!message.startsWith("Sequence item without")) return undefined;
  const spaces = text.slice(pos[0]).search(/\S/);
  return { offset: pos[0] + Math.max(0, spaces), message: BESIDE_ITEM };
}

function findBesideKeys({ text }: Source, { code, pos }: YAMLError): Cause | undefined {
  const [spaces] = /^[ \n]*(?=-\s)/.exec(text.slice(pos[0])) ?? [];
  if (code !== "BLOCK_AS_IMPLICIT_KEY" || spaces === undefined) return undefined;
  return { offset: pos[0] + spaces.length, message: BESIDE_KEYS };
}

/** Returns where an unclosed quote or bracket was opened. The parser notices it only at the end. */
function findOpenedBefore(document: Document, { message, pos }: YAMLError): Cause | undefined {
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
