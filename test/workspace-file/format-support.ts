/** Generates workspace files as people might write them. */
import fc from "fast-check";

/** Holds the lines of a map, in any order and indentation, with comments and blank lines. */
type Lines = readonly string[];
const comment = fc.constantFrom("# note", "#  wide", "#", "# a: b", '# é — "x"');
const noise = fc.array(fc.oneof(comment, fc.constant("")), { maxLength: 2 });
const tail = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  comment.map((text) => `  ${text}`),
);
const scalar = fc.constantFrom(
  "a",
  "'b c'",
  '"d: #e"',
  "1.10",
  "true",
  "~",
  "{ x: 1, b: [1, 2] }",
  "[]",
  "${env:X}",
  "[a, b]",
  "{ name: a, type: CHAT, content: some longer text that needs room, channel: and another one, integration: far more }",
);
const key = fc.constantFrom(
  "version",
  "workspace",
  "projects",
  "members",
  "variables",
  "web",
  "pipelines",
  "deploy",
  "actions",
  "name",
  "type",
  "refName",
  "triggerMode",
  "displayName",
  "retain",
  "x-base",
  "templates",
  "entry",
  "defaults",
  "groups",
);

/** Generates a map with a maximum number of levels. */
export const block: fc.Memo<Lines> = fc.memo((depth) =>
  fc
    .tuple(
      fc.uniqueArray(
        fc.tuple(
          key,
          noise,
          tail,
          depth > 1 ? value(depth) : fc.constant<Lines | undefined>(undefined),
          scalar,
        ),
        {
          minLength: 1,
          maxLength: 4,
          selector: ([name]) => name,
        },
      ),
      noise,
    )
    .map(([entries, end]) => [
      ...entries.flatMap(([name, before, inline, nested, plain]) => [
        ...before,
        ...(nested === undefined ? [`${name}: ${plain}${inline}`] : [`${name}:${inline}`, ...nested]),
      ]),
      ...end,
    ]),
);
const indented = (by: number) => (all: Lines) =>
  all.map((line) => (line === "" ? "" : " ".repeat(by) + line));
const value: fc.Memo<Lines | undefined> = fc.memo((depth) => {
  const width = fc.integer({ min: 1, max: 4 });
  return fc.oneof(
    fc.constant(undefined),
    fc.tuple(width, block(depth - 1)).map(([by, nested]) => indented(by)(nested)),
    fc
      .tuple(width, fc.array(fc.tuple(noise, block(depth - 1)), { minLength: 1, maxLength: 3 }))
      .map(([by, items]) => indented(by)(items.flatMap(([before, item]) => [...before, ...asItem(item)]))),
    width.map((by) =>
      indented(by)(["|", "text", "  # text too", "", "text"]).map((line, i) =>
        i === 0 ? `${" ".repeat(by)}|` : line,
      ),
    ),
  );
});
function asItem(item: Lines): Lines {
  const first = item.findIndex((line) => line !== "" && !line.startsWith("#"));
  const [head = "", ...rest] = item.slice(first);
  return [...item.slice(0, first), `- ${head}`, ...indented(2)(rest)];
}
