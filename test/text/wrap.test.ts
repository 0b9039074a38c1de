/** Tests that messages are wrapped at words, and that what may be copied stays whole. */
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import { expect, it } from "vitest";
import { getDrawnWidth, getWidth, wrapLines } from "../../text/wrap.js";

it("continues a line with more indentation", () => {
  const text =
    "error: refused, nothing was changed:\n  max-deletes: 39 objects would be deleted, and 10 may be";
  expect(wrapLines(text, 40)).toBe(
    [
      "error: refused, nothing was changed:",
      "  max-deletes: 39 objects would be",
      "    deleted, and 10 may be",
    ].join("\n"),
  );
  expect(wrapLines(text, Infinity)).toBe(text);
});

it("keeps quoted texts, long words and the command at the end whole", () => {
  const path = `/home/ann/${"folder/".repeat(8)}workspace.yaml`;
  const command = `workspacectl drift accept groups/QA -f ${path}`;
  const text = `The file "On call of the whole week.yaml" of ${path} differs: ${command}`;
  expect(wrapLines(text, 40).split("\n")).toEqual([
    "The file",
    '  "On call of the whole week.yaml" of',
    `  ${path}`,
    "  differs:",
    `  ${command}`,
  ]);
  expect(wrapLines(`    ${command}`, 40)).toBe(`    ${command}`);
});

it("changes no line that fits, and keeps its colors", () => {
  const { red, bold } = pc.createColors(true);
  const line = `  ${red("-")} pipeline  ${bold("Deploy")} \u00a0 with 6 actions   `;
  expect(wrapLines(line, 40)).toBe(line);
  const wrapped = wrapLines(red("a long sentence in red"), 20).split("\n");
  expect(wrapped).toHaveLength(2);
  for (const part of wrapped) expect(part.trimStart()).toBe(red(stripVTControlCharacters(part.trimStart())));
});

it("wraps nothing for a log, nor for a terminal of a job that is 0 columns wide", () => {
  expect([getWidth({ isTTY: true, columns: 100 }), getWidth({ isTTY: true })]).toEqual([100, 80]);
  expect([getWidth({ columns: 100 }), getWidth({ isTTY: true, columns: 0 })]).toEqual([Infinity, Infinity]);
  expect([getDrawnWidth({ columns: 0 }), getDrawnWidth({}), getDrawnWidth({ columns: 60 })]).toEqual([
    80, 80, 60,
  ]);
});
