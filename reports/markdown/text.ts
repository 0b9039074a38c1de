/** What Markdown reports consist of: texts in which nothing has a meaning there, and links to where the report comes from. */
import { readRunOrigin, type RunOrigin } from "../../automation/run-origin.js";
import { showLines, stripControls } from "../../client/printable.js";
import type { Location } from "../../workspace-file/index.js";
import { findRoot, relateToRoot } from "../problem-report.js";

/** Writes a table with cells of plain text. */
export function formatMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Invisible in the page. What it separates is no mention, reference, address or comment any more. */
const SEPARATOR = "&#8203;";

/** Escapes Markdown, HTML, cell separators, and what GitHub and GitLab make of a text that is rendered. */
export function escapeMarkdown(text: string): string {
  return stripControls(text.replaceAll(/[\r\n]+/g, " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_[\]|~#]/g, (sign) => `\\${sign}`)
    .replaceAll(/@|[#!$%~](?=[\p{L}\p{N}])/gu, (sign) => `${sign}${SEPARATOR}`)
    .replaceAll("://", `:${SEPARATOR}//`)
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}${SEPARATOR}.`);
}

/** Writes a code span, in which only backticks need care. A comment in one would still be a marker in the source. */
export function formatCode(text: string): string {
  const line = stripControls(text.replaceAll(/[\r\n]+/g, " ")).replaceAll("<!--", "<\u200b!--");
  if (line.trim() === "") return "";
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Writes lines as a block, in which only a fence and a marker mean anything. Scripts and pages contain backticks. */
export function fenceLines(lines: readonly string[], language: string = "diff"): string[] {
  const text = lines.map((line) => showLines(line).replaceAll("<!--", "<\u200b!--"));
  const runs = text.flatMap((line) => line.match(/~+/g) ?? []);
  const fence = "~".repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
  return [`${fence}${language}`, ...text, fence];
}

export interface Origin extends Pick<RunOrigin, "commit" | "run"> {
  /** Returns the address of a line of a file in that commit. */
  readonly linkTo: (place: Location) => string | undefined;
}

export function readOrigin(env: NodeJS.ProcessEnv): Origin {
  const { commit, run, files } = readRunOrigin(env);
  return {
    commit,
    run,
    linkTo: ({ file, line }) => {
      const path = relateToRoot(file, findRoot(env));
      if (commit === undefined || files === undefined || /^[/<]|^\w:/.test(path)) return undefined;
      return `${files}/${commit}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
    },
  };
}
