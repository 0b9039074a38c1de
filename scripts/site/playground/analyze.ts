/** Answers what the page shows about a workspace, with the functions that the commands call. */
import { stringify } from "yaml";
import pc from "picocolors";
import { buildGraph } from "../../../cli/commands/graph/model.js";
import { drawMermaid } from "../../../cli/commands/graph/mermaid.js";
import { printRuns, runsReport } from "../../../cli/commands/what-runs/report.js";
import {
  findCell,
  labelInWorkspace,
  formatLevels,
  withoutMembership,
} from "../../../cli/reporters/access-labels.js";
import { CliError } from "../../../cli/errors.js";
import { counts, tally } from "../../../cli/reporters/problem-report.js";
import type { Io } from "../../../cli/terminal/io.js";
import {
  buildAccess,
  listDeclaredObjects,
  computeEffectiveAccess,
} from "../../../workspace-file/access/index.js";
import { lint } from "../../../workspace-file/lint/index.js";
import {
  readDeclarations,
  renderComposed,
  WorkspaceFileError,
  type LoadedFile,
} from "../../../workspace-file/load/index.js";
import {
  MAIN_FILE,
  type AccessTable,
  type Analysis,
  type Content,
  type Files,
  type Question,
} from "./analysis.js";

/**
 * Analyzes a workspace file with the files next to it. There are no environment variables and no stack, so placeholders get mock
 * values, as with `--offline`.
 */
export async function analyze(files: Files, question: Question): Promise<Analysis> {
  const texts = new Map(Object.entries(files).map(([name, text]) => [`/${name}`, text]));
  const options = { env: {}, mock: true, stack: question.stack, texts };
  try {
    const loaded = readDeclarations(MAIN_FILE, options);
    const { findings } = await lint(MAIN_FILE, options);
    return { summary: tally(counts(findings)), problems: findings, content: getContent(loaded, question) };
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    const problems = error.problems.map((problem) => ({ ...problem, severity: "error" as const }));
    return { summary: tally(counts(problems)), problems };
  }
}

function getContent(loaded: LoadedFile, question: Question): Content {
  const graph = buildGraph(loaded);
  return {
    document: stringify(renderComposed(loaded), { aliasDuplicateObjects: false, lineWidth: 0 }),
    graph: drawMermaid(graph, new Set(["projects", "pipelines", "access"])),
    access: accessTable(loaded),
    runs: runsText(loaded, question),
    pipelines: graph.projects.flatMap(({ name, pipelines }) =>
      pipelines.map((each) => `${name}/${each.name}`),
    ),
  };
}

function runsText(loaded: LoadedFile, { event, pipeline: manual }: Question): string {
  try {
    const report = runsReport(MAIN_FILE, loaded, event, manual === undefined ? {} : { manual });
    return capturePrinted((io) => printRuns(report, io));
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

function accessTable({ declarations }: LoadedFile): AccessTable {
  const { projects, rows } = computeEffectiveAccess(buildAccess(listDeclaredObjects(declarations)), {});
  return {
    projects,
    rows: rows.map((row) => ({
      member: row.member,
      workspace: labelInWorkspace(row),
      cells: projects.map((project) => {
        const cell = findCell(row, project);
        return cell
          ? { levels: formatLevels(cell), permissionSet: cell.permissionSet }
          : { levels: withoutMembership(row) };
      }),
    })),
  };
}

/** Returns what a command would print. */
function capturePrinted(print: (io: Io) => void): string {
  let text = "";
  const stdout = { write: (part: string) => ((text += part), true) } as unknown as Io["stdout"];
  print({ stdout, env: {}, colors: pc.createColors(false) } as Io);
  return text;
}
