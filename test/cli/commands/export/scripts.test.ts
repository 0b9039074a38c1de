/**
 * Tests that scripts keep every byte on their way from a file to the service and back, wherever they stand, and that a line that was
 * changed outside changes only its own lines in the file. SCRIPTS says how many scripts, SEED which ones.
 */
import fc from "fast-check";
import { parse } from "yaml";
import { expect, it } from "vitest";
import { escapePlaceholders } from "../../../../workspace-file/compose/placeholders.js";
import { documentText } from "../../../../workspace-file/write/write.js";
import type { WorkspaceDocument } from "../../../../schema/workspace-document.js";
import { Kept } from "./kept.js";

const PER_WORKSPACE = 20;
const count = Number(process.env["SCRIPTS"] ?? 2 * PER_WORKSPACE);
const seed = Number(process.env["SEED"] ?? 7);

const word = fc.constantFrom(
  "app",
  "dist",
  "it's",
  'a"b',
  "on",
  "1_000",
  "#x",
  "é",
  "~",
  "- a",
  "k: v",
  "*",
  "&b",
  "|",
  "%",
);
const value = fc.constantFrom(
  "$X",
  "${X}",
  "$$",
  "$${X}",
  "$$${X}",
  "${X:-y}",
  "$(cat f)",
  "`date`",
  "\\$X",
  "{{ x }}",
  "'$1'",
);
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("echo", "sed -e", "cd", "  run", "\tmake", "if"), word, value)
      .map((parts) => parts.join(" ")),
  },
  fc.tuple(fc.constantFrom("A", "PATH"), value).map(([name, of]) => `export ${name}=${of}`),
  fc.constantFrom(
    "",
    "  ",
    "# a comment",
    "EOF",
    "cat <<EOF > f",
    "---",
    "...",
    "printf '%s\\n' \"$X\"",
    "awk '{ print $1 }' ",
    "\\",
    "a\\",
  ),
);
const script = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.constantFrom("", "\n", "\n\n"))
  .map(([lines, end]) => lines.join("\n") + end)
  .filter((text) => text.trim() !== "");

type Action = Readonly<Record<string, unknown>>;

/** Puts a script into one of the positions in which people write them. */
function place(text: string, index: number): Action {
  const common = { name: `A${index}`, triggerTime: "ON_EVERY_EXECUTION" };
  const image = { type: "BUILD", containerImageName: "node", containerImageTag: "22" };
  switch (index % 4) {
    case 0:
      return { ...common, ...image, executeCommands: ["npm ci", text, "npm test"] };
    case 1:
      return {
        ...common,
        type: "CUSTOM",
        nonSecret: ["fields"],
        fields: { script: text, nested: { list: [text] } },
      };
    case 2:
      return {
        ...common,
        type: "HTTP",
        method: "POST",
        notificationUrl: "https://example.com",
        content: text,
      };
    default:
      return { ...common, ...image, executeCommands: ["ls"], setupCommands: [text] };
  }
}

function createDocument(scripts: readonly string[]): WorkspaceDocument {
  const escaped = scripts.map((text, index) => place(escapePlaceholders(text), index));
  const variables = Object.fromEntries(
    scripts.slice(0, 5).map((text, index) => [`V${index}`, escapePlaceholders(text)]),
  );
  const pipeline = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main", actions: escaped };
  return {
    version: 1,
    workspace: "acme",
    variables,
    projects: { web: { displayName: "Web", pipelines: { p: pipeline } } },
  } as unknown as WorkspaceDocument;
}

/** The number of lines of a text that are not in another one, at their places. */
function countChanged(before: string, after: string): number {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return Math.max(a.length, b.length) - start - end;
}

it(`${count} scripts are the same at the service and in an export (seed ${seed})`, async () => {
  const all = fc.sample(script, { seed, numRuns: count });
  for (let from = 0; from < all.length; from += PER_WORKSPACE) {
    const scripts = all.slice(from, from + PER_WORKSPACE);
    const text = documentText(createDocument(scripts));
    expect(parse(text)).toEqual(createDocument(scripts));
    const kept = await Kept.of({ "workspace.yaml": text });
    const pipeline = await kept.numberOf("/projects/web/pipelines", "pipelines", "p");
    const path = `/projects/web/pipelines/${pipeline}/actions`;
    const { actions } = (await kept.edit("GET", path)) as unknown as { actions: Record<string, unknown>[] };
    const sent = actions.map((action) => JSON.stringify(action));
    for (const [index, one] of scripts.entries()) expect(sent[index]).toContain(JSON.stringify(one));
    const shown = (await kept.edit("GET", "/variables")) as unknown as { variables: { value: string }[] };
    expect(shown.variables.map((one) => one.value)).toEqual(scripts.slice(0, 5));
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
    const index = 4 * Math.floor((from / PER_WORKSPACE) % (PER_WORKSPACE / 4));
    const lines = scripts[index]!.split("\n");
    lines[lines.length >> 1] = "echo changed $X";
    await kept.edit("PATCH", `${path}/${String(actions[index]!["id"])}`, {
      execute_commands: ["npm ci", lines.join("\n"), "npm test"],
    });
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(countChanged(text, kept.text()), kept.text()).toBeLessThanOrEqual(3);
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
  }
});
