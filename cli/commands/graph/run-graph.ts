/** Runs `workspacectl graph`. */
import { readOptions } from "../../../automation/connection/file-facts.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Io } from "../../../reports/io.js";
import { printResultTo } from "../../../reports/output.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import type { GraphPart } from "../../options/graph-parts.js";
import type { GraphOptions } from "./graph-command.js";
import { drawMermaid, explainTooMuch } from "./mermaid.js";
import { buildGraph, type Graph } from "./model.js";

/**
 * Draws what a workspace file declares.
 * @throws {WorkspaceFileError} with all problems of the file
 */
export function runGraph(options: GraphOptions, io: Io): number {
  if (options.output?.endsWith(".svg"))
    throw new AutomationError(
      `graph writes Mermaid text, not the image ${options.output}`,
      "use a file name such as graph.mmd, and draw it with the command mmdc of mermaid-cli",
    );
  const whole = buildGraph(
    readDeclarations(options.file, { ...readOptions(options, io), mock: options.offline ? true : "config" }),
  );
  const chosen = filterProjects(whole, options.project);
  const shown = new Set<GraphPart>(options.parts ?? ["projects", "pipelines", "access"]);
  const text = drawMermaid(chosen, shown);
  const warning = explainTooMuch(text);
  if (warning !== undefined) note(io, `note: ${warning}`);
  printResultTo(options.output, text, io);
  return exitCodes.ok;
}

/** Limits a drawing to projects, and to the people who have access to them. */
function filterProjects(graph: Graph, names: readonly string[] | undefined): Graph {
  if (names === undefined) return graph;
  const missing = names.find((name) => !graph.projects.some((project) => project.name === name));
  if (missing !== undefined) {
    const there = graph.projects.map(({ name }) => name).join(", ");
    throw new AutomationError(
      `project "${missing}" is not declared`,
      there === "" ? "declare one, or omit --project" : `choose one of ${there}`,
    );
  }
  const projects = graph.projects.filter(({ name }) => names.includes(name));
  const named = new Set(projects.flatMap(({ access }) => access.map(({ person }) => person)));
  const used = new Set(projects.flatMap(({ access }) => access.map(({ permissionSet }) => permissionSet)));
  return {
    ...graph,
    projects,
    people: graph.people.filter(({ name }) => named.has(name)),
    permissionSets: graph.permissionSets.filter(({ name }) => used.has(name)),
    groups: graph.groups
      .map(({ name, members }) => ({ name, members: members.filter((each) => named.has(each)) }))
      .filter(({ members }) => members.length > 0),
  };
}
