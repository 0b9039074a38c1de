/** Runs `workspacectl access`, whose report has its schema here. */
import { existsSync } from "node:fs";
import { withService } from "../../../automation/connection/api-client.js";
import { readHead, readOptions } from "../../../automation/connection/file-facts.js";
import { AutomationError } from "../../../automation/errors.js";
import { readLiveAccess } from "../../../automation/policy/access-impact/live-access.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { reportHead } from "../../../automation/report/report-schemas.js";
import {
  findCell,
  formatLevels,
  labelInWorkspace,
  withoutMembership,
} from "../../../reports/access-labels.js";
import { captureOutput, type Io, print, printText } from "../../../reports/io.js";
import { escapeMarkdown, formatMarkdownTable } from "../../../reports/markdown/text.js";
import { printJson, printResultTo, printTable } from "../../../reports/output.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import {
  type AccessModel,
  buildAccess,
  computeEffectiveAccess,
  type EffectiveAccess,
  listDeclaredObjects,
} from "../../../workspace-file/access/access.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import type { AccessOptions } from "./access-command.js";

interface Found {
  readonly workspace: string;
  readonly model: AccessModel;
  readonly unread: readonly string[];
}

/** Shows the access rights of people, according to the file or in the live workspace. */
export async function access(options: AccessOptions, io: Io): Promise<number> {
  const { workspace, model, unread } = options.live ? await readLive(options, io) : readDeclared(options, io);
  const found = computeEffectiveAccess(model, options.live ? { project: options.project } : options);
  refuseUnknown(options, model, found.rows.length);
  const source = options.live ? "As it is in the workspace" : `As ${options.file} declares it`;
  const { stream, text } = captureOutput();
  const into = options.output === undefined ? io : { ...io, stdout: stream };
  switch (options.format) {
    case "json":
      printJson(into, {
        ...reportHead(1),
        workspace,
        source: options.live ? "live" : "declared",
        ...found,
        unread,
      });
      break;
    case "markdown":
      printText(into, `## Access to ${workspace}\n\n${source}.\n\n${formatMatrixMarkdown(found, unread)}\n`);
      break;
    case "html": {
      const { renderMatrixPage } = await import("../../../reports/html/access.js");
      printText(into, renderMatrixPage(found, { workspace, source, unread }));
      break;
    }
    case "text":
      print(into, io.colors.bold(`Access to ${workspace}: repository / pipelines`));
      await printMatrix(found, into);
  }
  if (options.output !== undefined) printResultTo(options.output, text(), io);
  for (const line of unread) note(io, io.colors.yellow(`could not be read: ${line}`));
  if (!options.live && hasUnknown(found.rows)) {
    note(
      io,
      io.colors.dim(
        "The file does not say everything (such as the levels of an external permission set): --live reads the rest.",
      ),
    );
  }
  return unread.length > 0 ? exitCodes.incomplete : exitCodes.ok;
}

function readDeclared(options: AccessOptions, io: Io): Found {
  const { workspace, declarations } = readDeclarations(options.file, { ...readOptions(options, io) });
  const model = buildAccess(listDeclaredObjects(declarations));
  return { workspace: workspace ?? "the workspace", model, unread: [] };
}

/** Reads the workspace of the file if it exists, else that of the connection. */
function readLive(options: AccessOptions, io: Io): Promise<Found> {
  const head = existsSync(options.file) ? readHead(options.file, readOptions(options, io)) : undefined;
  const connection = options.connection ?? head?.connection;
  const named = {
    ...(connection === undefined ? {} : { connection }),
    ...(head?.workspace === undefined ? {} : { workspace: head.workspace }),
  };
  return withService(named, io, async ({ client, workspace: domain }) => {
    const workspace = await domain();
    return { workspace, ...(await readLiveAccess(client, workspace, options)) };
  });
}

/** Refuses unknown names, which are probably misspelled. */
function refuseUnknown({ member, project, live }: AccessOptions, model: AccessModel, rows: number): void {
  const where = live ? "the workspace" : "the file";
  const projects = [...model.projects.values()].map(({ name }) => name);
  if (project !== undefined && !projects.includes(project))
    throw new AutomationError(
      `there is no project "${project}" in ${where}`,
      suggestOr(
        project,
        projects,
        projects.length === 0 ? "declare one, or omit --project" : `choose one of ${projects.join(", ")}`,
      ),
    );
  if (member !== undefined && rows === 0)
    throw new AutomationError(
      `there is no member "${member}" in ${where}${project ? ` with access to project ${project}` : ""}`,
      "omit --member to see all",
    );
}

function hasUnknown(rows: ReturnType<typeof computeEffectiveAccess>["rows"]): boolean {
  return rows.some(({ admin, projects }) => {
    const levels = Object.values(projects).flatMap(({ repository, pipelines }) => [repository, pipelines]);
    return admin === undefined || levels.includes(undefined);
  });
}

/** The maximum width without a terminal. */
const DEFAULT_WIDTH = 120;

/** Prints members by projects if that fits, else a line for each membership. */
async function printMatrix(access: EffectiveAccess, io: Io): Promise<void> {
  if (access.rows.length === 0) return print(io, "Nobody.");
  const head = ["member", "workspace", ...access.projects];
  const rows = access.rows.map((row) => [
    row.member,
    labelInWorkspace(row),
    ...access.projects.map(abbreviateRow(row)),
  ]);
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const width = widths.reduce((sum, one) => sum + one + 2, -2);
  if (width <= (io.stdout.columns || DEFAULT_WIDTH)) return printTable(io, head, rows);
  return printTable(
    io,
    ["member", "workspace", "project", "repository", "pipelines", "permission set"],
    listDetails(access),
  );
}

/** Returns a Markdown table with levels and permission sets. */
function formatMatrixMarkdown({ projects, rows }: EffectiveAccess, unread: readonly string[] = []): string {
  const body = rows.map((row) => [
    row.member,
    labelInWorkspace(row),
    ...projects.map((project) => {
      const cell = findCell(row, project);
      return cell ? `${formatLevels(cell)} (${cell.permissionSet})` : withoutMembership(row);
    }),
  ]);
  const missing =
    unread.length === 0
      ? []
      : ["", "Could not be read:", "", ...unread.map((one) => `- ${escapeMarkdown(one)}`)];
  return [formatMarkdownTable(["Member", "Workspace", ...projects], body), ...missing].join("\n");
}

type Row = EffectiveAccess["rows"][number];

const abbreviateRow = (row: Row) => (project: string) => {
  const cell = findCell(row, project);
  return cell ? formatLevels(cell) : withoutMembership(row);
};

function listDetails({ projects, rows }: EffectiveAccess): string[][] {
  return rows.flatMap((row) => {
    const found = projects.flatMap((project) => {
      const cell = findCell(row, project);
      return cell ? [[project, cell.repository, cell.pipelines, cell.permissionSet]] : [];
    });
    const without =
      row.admin || row.owner
        ? ["every project", withoutMembership(row), withoutMembership(row), ""]
        : ["none", "", "", ""];
    const lines = found.length === 0 ? [without] : found;
    // Each person is named once.
    return lines.map((line, index) =>
      index === 0 ? [row.member, labelInWorkspace(row), ...line] : ["", "", ...line],
    );
  });
}
