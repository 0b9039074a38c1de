/** Checks that each file begins with a sentence that says what is in it, and that functions are named with verbs. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

const ROOMS = `{${[...listRooms(), "scripts"].join()}}`;
const sources = globSync(`${ROOMS}/**/*.{ts,mts,mjs,cjs}`, { ignore: ["**/node_modules/**"] });
const tests = globSync("test/**/*.ts");

/** Matches a comment of at least three words at the begin of a file, also below a line for the shell. */
const SENTENCE = /^(?:#!.*\n)?(?:\/\*\*?[\s*]+|\/\/ |\/\/\/ <)(?:\S+\s+){2}\S/;

it("each file begins with a sentence that says what is in it", () => {
  expect([...sources, ...tests].filter((file) => !SENTENCE.test(readFileSync(file, "utf8")))).toEqual([]);
});

/** Names of files that say nothing of what is in them. The entry of a room is index.ts. */
const VAGUE = /(?:^|\/)(?:run|report|command|print|utils?|helpers?|misc|common)\.ts$|\/[\w-]+\/index\.ts$/;

it("the name of each file says what is in it", () => {
  const entries = ["cli/api/index.ts", "sdk/nodejs/index.ts", "scripts/site/.vitepress/theme/index.ts"];
  expect(sources.filter((file) => VAGUE.test(file) && !entries.includes(file))).toEqual([]);
});

/** Verbs whose base form ends like a participle, and adjectives of questions that functions answer. */
const BASE_FORMS =
  /^(?:add|append|ask|bind|build|embed|expand|extend|feed|fetch|find|fold|flatten|hold|listen|load|need|open|parse|pad|read|rebuild|redeem|seed|send|shed|shorten|spread|wrap)$/;

it("no function is named with a participle, or with what it returns (nameOf)", () => {
  const names = sources
    .filter((file) => /\.m?ts$/.test(file) && !file.endsWith(".d.mts"))
    .flatMap((file) => functionsIn(file).map((name) => ({ file, name })));
  const wrong = names.filter(({ name }) => {
    const [first = ""] = /^[a-z]+/.exec(name) ?? [];
    const isParticiple = /(?:ed|wn|den|ten|ken)$/.test(first) && !BASE_FORMS.test(first);
    return isParticiple || /^[a-z]+Of$/.test(name);
  });
  expect(wrong.map(({ file, name }) => `${file}: ${name}`).filter((one) => !PUBLIC.has(one))).toEqual([]);
});

/** Names that programs import, and the words in which endpoints and definitions are declared. */
const PUBLIC = new Set<string>([
  "client/api/members.ts: projectsOf",
  "client/endpoint.ts: typed",
  "client/endpoint.ts: named",
  "client/schema.ts: unchecked",
  "provider/connection/stored-tokens.ts: storedTokens",
  "resources/definition/define-resource.ts: resolvedId",
  "workspace-file/write/write.ts: documentOf",
]);

/** Lists the functions of a module, without those inside other functions. */
function functionsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && ts.isArrowFunction(initializer) ? [name.text] : [],
    );
  });
}
