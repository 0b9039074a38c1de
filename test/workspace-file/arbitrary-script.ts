/** Generates scripts as people write them, and a workspace that has them in all places where scripts stand. */
import { diffLines } from "diff";
import fc from "fast-check";
import type { WorkspaceDocument } from "../../schema/workspace-document.js";
import { escapePlaceholders } from "../../workspace-file/compose/placeholders.js";

/** Number of scripts in a workspace. */
export const PER_WORKSPACE = 20;
/** Number of workspace variables that contain scripts. */
export const VARIABLES = 5;

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
/** A script with line breaks at its end or without. */
export const arbitraryScript = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.constantFrom("", "\n", "\n\n"))
  .map(([lines, end]) => lines.join("\n") + end)
  .filter((text) => text.trim() !== "");

/** A place in an action where scripts stand. */
interface Position {
  /** The part of a script that this place can have. */
  readonly fit: (script: string) => string;
  /** Arguments in the file. */
  readonly args: (text: string) => object;
  /** The same as the service takes it. */
  readonly body: (text: string) => object;
}

const whole = (script: string) => script;
const image = { type: "BUILD", containerImageName: "node", containerImageTag: "22" };
const call = { type: "HTTP", notificationUrl: "https://example.com" };

const positions: readonly Position[] = [
  {
    fit: whole,
    args: (text) => ({ ...image, executeCommands: ["npm ci", text, "npm test"] }),
    body: (text) => ({ execute_commands: ["npm ci", text, "npm test"] }),
  },
  {
    fit: whole,
    args: (text) => ({
      type: "CUSTOM",
      nonSecret: ["fields"],
      fields: { script: text, nested: { list: [text] } },
    }),
    body: (text) => ({ script: text }),
  },
  {
    fit: whole,
    args: (text) => ({ ...call, method: "POST", content: text }),
    body: (text) => ({ content: text }),
  },
  {
    fit: (script) => script.split("\n").find((one) => one.trim() !== "") ?? "",
    args: (text) => ({ ...call, method: "GET", headers: [{ name: "X-Script", value: text }] }),
    body: (text) => ({ headers: [{ name: "X-Script", value: text }] }),
  },
  {
    fit: whole,
    args: (text) => ({ ...image, executeCommands: ["ls"], setupCommands: [text] }),
    body: (text) => ({ setup_commands: [text] }),
  },
];

export const positionOf = (index: number): Position => positions[index % positions.length]!;

/** The workspace `acme` with scripts in the actions of the pipeline `p` of the project `web`, and in variables. */
export function createDocument(scripts: readonly string[]): WorkspaceDocument {
  const actions = scripts.map((script, index) => {
    const { fit, args } = positionOf(index);
    return { name: `A${index}`, triggerTime: "ON_EVERY_EXECUTION", ...args(escapePlaceholders(fit(script))) };
  });
  const variables = Object.fromEntries(
    scripts.slice(0, VARIABLES).map((text, index) => [`V${index}`, escapePlaceholders(text)]),
  );
  const pipeline = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main", actions };
  return {
    version: 1,
    workspace: "acme",
    variables,
    projects: { web: { displayName: "Web", protect: false, pipelines: { p: pipeline } } },
  } as unknown as WorkspaceDocument;
}

/** Returns a script of which one line is another one. */
export function changeLine(script: string, at: number): string {
  const lines = script.split("\n");
  lines[at % lines.length] = "echo changed $X";
  return lines.join("\n");
}

/** The number of lines that are removed or added, whichever are more. */
export function countChanged(before: string, after: string): number {
  const parts = diffLines(before, after);
  const sum = (kind: "added" | "removed") =>
    parts.reduce((all, part) => all + (part[kind] ? part.count : 0), 0);
  return Math.max(sum("added"), sum("removed"));
}
