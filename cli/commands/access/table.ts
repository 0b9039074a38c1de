/** Prints the access matrix on a terminal, and as Markdown. */
import type { EffectiveAccess } from "../../../workspace-file/access/index.js";
import { escapedMarkdown, markdownTable } from "../../reporters/markdown.js";
import { print, type Io } from "../../terminal/io.js";
import { printTable } from "../../terminal/output.js";
import { cellOf, inWorkspace, NO_MEMBER } from "../../reporters/access-labels.js";

/** The maximum width without a terminal. */
const PAPER = 120;

/** Prints members by projects if that fits, else a line for each membership. */
export async function printMatrix(access: EffectiveAccess, io: Io): Promise<void> {
  if (access.rows.length === 0) return print(io, "Nobody.");
  const head = ["member", "workspace", ...access.projects];
  const rows = access.rows.map((row) => [row.member, inWorkspace(row), ...access.projects.map(short(row))]);
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const width = widths.reduce((sum, one) => sum + one + 2, -2);
  if (width <= (io.stdout.columns ?? PAPER)) return printTable(io, head, rows);
  return printTable(
    io,
    ["member", "workspace", "project", "repository", "pipelines", "permission set"],
    long(access),
  );
}

/** Returns a Markdown table with levels and permission sets. */
export function matrixMarkdown({ projects, rows }: EffectiveAccess, unread: readonly string[] = []): string {
  const body = rows.map((row) => [
    row.member,
    inWorkspace(row),
    ...projects.map((project) => {
      const cell = cellOf(row, project);
      return cell ? `${short(row)(project)} (${cell.permissionSet})` : NO_MEMBER;
    }),
  ]);
  const missing =
    unread.length === 0
      ? []
      : ["", "Could not be read:", "", ...unread.map((one) => `- ${escapedMarkdown(one)}`)];
  return [markdownTable(["Member", "Workspace", ...projects], body), ...missing].join("\n");
}

type Row = EffectiveAccess["rows"][number];

const short = (row: Row) => (project: string) => {
  const cell = cellOf(row, project);
  return cell ? `${cell.repository} / ${cell.pipelines}` : NO_MEMBER;
};

function long({ projects, rows }: EffectiveAccess): string[][] {
  return rows.flatMap((row) => {
    const found = projects.flatMap((project) => {
      const cell = cellOf(row, project);
      return cell ? [[project, cell.repository, cell.pipelines, cell.permissionSet]] : [];
    });
    const lines = found.length === 0 ? [[NO_MEMBER, NO_MEMBER, NO_MEMBER, NO_MEMBER]] : found;
    // Each person is named once.
    return lines.map((line, index) =>
      index === 0 ? [row.member, inWorkspace(row), ...line] : ["", "", ...line],
    );
  });
}
