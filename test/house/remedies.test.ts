/** Checks that the remedy of each error says something. The compiler requires one. */
import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

/** The position of the remedy in the constructor of each class. */
const REMEDY = {
  AutomationError: 1,
  ProviderError: 2,
  RecoveryError: 2,
  SeedError: 1,
  ToolchainError: 2,
  TrustError: 2,
};

/** Says no more than the error itself. */
const EMPTY =
  /^(please )?(try|run|do) (it|this|the command)? ?(again|later)\.?$|^(fix|correct) (it|this)\.?$/i;

/** Errors after which the same command continues or succeeds, because something else has changed in the meantime. */
const REPEATED = /was changed in the meantime|has changed|was replaced|another run|Cancelled/;

it("the remedy of each error says more than to try again", () => {
  const remedies = globSync(listRooms().map((room) => `${room}/**/*.ts`)).flatMap(remediesOf);
  expect(remedies.length).toBeGreaterThan(200);
  const empty = remedies.filter(
    ({ message, remedy }) => remedy === "" || (EMPTY.test(remedy) && !REPEATED.test(message)),
  );
  expect(empty).toEqual([]);
});

/** The remedies that are written out as a text. */
function remediesOf(file: string): { at: string; message: string; remedy: string }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: ReturnType<typeof remediesOf> = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isNewExpression(node)) return;
    const at = (REMEDY as Record<string, number | undefined>)[node.expression.getText()];
    const remedy = at === undefined ? undefined : node.arguments?.[at];
    const message = at === undefined ? undefined : node.arguments?.[at - 1]?.getText();
    if (remedy === undefined || !(ts.isStringLiteralLike(remedy) || ts.isTemplateExpression(remedy))) return;
    const text = ts.isTemplateExpression(remedy) ? remedy.getText().slice(1, -1) : remedy.text;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ at: `${file}:${line}`, message: message ?? "", remedy: text });
  };
  visit(source);
  return found;
}
