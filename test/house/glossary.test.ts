/** Checks that messages, help, comments and pages avoid words that readers stumbled over. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bin (?:the )?clear\b/i, "in plaintext"],
  [/\b(?:carry|carries|carried|carrying) (?:(?:it|them|this|that) )?out\b/i, "apply, perform, execute"],
  [/\bremarks?\b/i, "note"],
  [/\b(?:leave|leaves|leaving|left) (?:[\w-]+ ){0,2}out\b/i, "skip, omit"],
  [/\b(?:must be|such as) an? te?xt\b/, "string"],
  [/\b(?:take|takes|taken|taking|took) (?:(?:it|them) )?out\b/i, "remove"],
  // "Take over" and "take into account" are ordinary English.
  [/\btaken\b(?! over\b| into account\b)/i, "already exists, is used, is read from"],
  [/(?<!\bsomebody )\bmade by hand\b/i, "created by hand"],
  [/\b(?:gains?|gets?|loses?|keeps?|had) [A-Z]+_[A-Z]+\b/, "read/write, run-only"],
  [/\buse this page to\b/i, "the subject of the page"],
  [/\bbeside\b/i, "next to, in addition to"],
  [
    /\bname (?:another|one (?:of|with)|it with|the (?:files?|folder) (?:to|with|of))\b/i,
    "choose, pass, specify",
  ],
  [/\bdefault: (?:that|those) of\b/i, "repeat the noun"],
  [/\bsuffices?\b/i, "is enough"],
  [/\b(?:exists?|declared) already\b/i, "already exists"],
  [/\bin plain text\b/i, "in plaintext"],
];

const sources = globSync(`{${[...listRooms(), "scripts"].join()}}/**/*.{ts,mts}`);
const pages = globSync(
  ["*.md", "docs/**/*.md", "examples/**/*.{md,yaml,ts}", "packages/{emulator,library}/README.md"],
  { ignore: ["**/node_modules/**", "CHANGELOG.md"] },
);

it("messages, help and comments use the words of the glossary", () => {
  expect(sources.flatMap((file) => inSource(file, readFileSync(file, "utf8")))).toEqual([]);
});

it("pages and examples use the words of the glossary", () => {
  expect(pages.flatMap((file) => found(file, readFileSync(file, "utf8")))).toEqual([]);
});

it.each([
  ["a page", "", "It is left\n  out, and Ann gains READ\\_WRITE.", 2],
  ["a comment", "/** It is\n * left\n * out. */\n// It is left\n// out.\nexport {};", "", 2],
  ["a text of several parts", 'print("it is left " +\n  "out");', "", 1],
  ["a template", "print(`${a} is left out of ${`what is in ${b} and taken`}`);", "", 2],
  ["code", "const taken = remarks.filter(({ remark }) => remark); type X = Pick<Y, 'remark'>;", "", 0],
])("finds the words in %s, whatever stands between them", (_what, source, page, times) => {
  expect([...inSource("x.ts", source), ...found("x.md", page)]).toHaveLength(times);
});

/** Returns the words in the comments and texts of a module. */
function inSource(file: string, text: string): string[] {
  // Parsing takes long, and few modules contain one of the words at all.
  if (found(file, text.replace(/["'`+]+/g, " ")).length === 0) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return [...literals(source), ...comments(source)].flatMap((one) => found(file, one));
}

/** Returns the words in a text, each with what stands around it. */
function found(file: string, text: string): string[] {
  const line = text
    .replace(/\n\s*(?:\*|\/\/|#)\s?/g, " ")
    .replace(/\\_/g, "_")
    .replace(/\s+/g, " ");
  return WORDS.flatMap(([word, instead]) =>
    [...line.matchAll(new RegExp(word, `g${word.flags}`))].map(
      ({ index }) => `${file}: "${line.slice(Math.max(0, index - 40), index + 40)}": say ${instead}`,
    ),
  );
}

/** Returns strings and templates. Parts that a plus connects are one text, in which "…" is an expression. */
function* literals(node: ts.Node): Generator<string> {
  if (ts.isLiteralTypeNode(node)) return;
  const text = textOf(node);
  if (text !== undefined) yield text;
  for (const child of childrenOf(node)) {
    const isPart = text !== undefined && ts.isBinaryExpression(node) && textOf(child) !== undefined;
    yield* isPart ? childrenOf(child).flatMap((one) => [...literals(one)]) : literals(child);
  }
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** Returns the comments before and after each token. Comments in a row are one text. */
function comments(source: ts.SourceFile): string[] {
  const rows = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const { text } = source;
    for (const row of [
      ts.getLeadingCommentRanges(text, node.getFullStart()),
      ts.getTrailingCommentRanges(text, node.end),
    ]) {
      const [first] = row ?? [];
      if (first) rows.set(first.pos, row!.map(({ pos, end }) => text.slice(pos, end)).join("\n"));
    }
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...rows.values()];
}
