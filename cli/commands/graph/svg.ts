/** Draws a workspace as an SVG image for light and dark backgrounds. */
import { escaped } from "../../terminal/markup.js";
import { draw, type Box, type Text } from "./boxes.js";
import type { GraphAction, Graph, GraphPerson, GraphPipeline, GraphProject } from "./model.js";
import type { GraphPart } from "./parts.js";
import { svgStyle } from "./style.js";
import { humanReadable } from "./labels.js";

/** Maximum width. */
const LARGEST = 1280;

/** Draws the selected parts. */
export function svgOf(graph: Graph, shown: ReadonlySet<GraphPart>): string {
  const title = graph.workspace === undefined ? "Workspace" : `Workspace ${graph.workspace}`;
  const { width, height, elements } = draw(page(graph, shown, title), LARGEST);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    `<style>${svgStyle}</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...elements,
    "</svg>",
    "",
  ].join("\n");
}

function page(graph: Graph, shown: ReadonlySet<GraphPart>, title: string): Box {
  const pipelines = graph.projects.reduce((sum, { pipelines }) => sum + pipelines.length, 0);
  const counts = [
    counted(graph.projects.length, "project"),
    counted(pipelines, "pipeline"),
    counted(graph.people.length, "member", "members"),
  ].join(" · ");
  const heading = column(
    [line(title, 24, { bold: true, maxWidth: 1100 }), line(counts, 13, { look: "muted" })],
    2,
  );
  const projects =
    shown.has("projects") || shown.has("pipelines")
      ? graph.projects.map((each) => projectBox(each, shown))
      : [];
  return {
    padding: [28, 32],
    gap: 20,
    children: [heading, ...(shown.has("access") ? accessBoxes(graph) : []), ...projects],
  };
}

function projectBox(
  { name, displayName, access, pipelines }: GraphProject,
  shown: ReadonlySet<GraphPart>,
): Box {
  const names = [
    line(name, 17, { bold: true, maxWidth: 560 }),
    ...(displayName === undefined ? [] : [line(displayName, 14, { look: "muted" })]),
  ];
  const rights = shown.has("access") ? access.map((each) => right(each.person, each.permissionSet)) : [];
  const children: Box[] = [{ ...row(names, 10), center: true }];
  if (rights.length > 0) children.push(row(rights, 6));
  if (shown.has("pipelines") && pipelines.length > 0) children.push(row(pipelines.map(pipelineBox), 12));
  return { look: "card", padding: [16, 18], gap: 12, children };
}

function pipelineBox({ name, trigger, actions }: GraphPipeline): Box {
  const heading = { ...row([line(name, 14, { bold: true }), badge(trigger, "trigger")], 8), center: true };
  const always = actions.filter(({ condition }) => condition === undefined);
  const conditions = [...new Set(actions.map(({ condition }) => condition))].filter(
    (each) => each !== undefined,
  );
  const flows = conditions.map((condition) => {
    const kind = kindOf(condition);
    const some = actions.filter((action) => action.condition === condition);
    return { ...row([badge(condition, kind), ...chain(some, kind, true)], 0), center: true };
  });
  const body = actions.length === 0 ? [line("no actions", 12, { look: "muted" })] : [];
  const main = always.length > 0 ? [row(chain(always, "always", false), 0)] : [];
  return {
    look: "pipeline",
    padding: [12, 14],
    gap: 10,
    grow: true,
    minWidth: 300,
    children: [heading, ...body, ...main, ...flows],
  };
}

/** Draws a sequence of actions. Each has the arrow that leads to it, so that a line can break between them. */
function chain(actions: readonly GraphAction[], kind: string, led: boolean): Box[] {
  return actions.map((action, index) => {
    const arrow = index > 0 || led ? [{ arrow: kind }] : [];
    return {
      ...row([...arrow, actionBox(action, kind)], 0),
      wrap: false,
      center: true,
      padding: [3, 0] as const,
    };
  });
}

function actionBox({ position, name, type }: GraphAction, kind: string): Box {
  const title = {
    ...row([line(String(position), 11, { look: "muted" }), line(name, 13, { maxWidth: 220 })], 6),
    wrap: false,
    center: true,
  };
  return {
    look: `action ${kind}`,
    padding: [6, 10],
    gap: 0,
    children: [title, line(type, 10, { look: "muted", maxWidth: 240 })],
  };
}

function accessBoxes({ people, groups, permissionSets, projects }: Graph): Box[] {
  const boxes: Box[] = [];
  if (people.length > 0) {
    const cards = people.map((person) => {
      const member = groups.filter(({ members }) => members.includes(person.name)).map(({ name }) => name);
      const rights = projects.flatMap(({ name, access }) =>
        access.filter((each) => each.person === person.name).map((each) => right(name, each.permissionSet)),
      );
      return personBox(person, member, rights);
    });
    boxes.push(column([line("People", 16, { bold: true }), row(cards, 10)], 8));
  }
  const empty = groups
    .filter(({ members }) => members.length === 0)
    .map(({ name }) => badge(`${name} (nobody)`, "group"));
  if (empty.length > 0)
    boxes.push(column([line("Groups without members", 16, { bold: true }), row(empty, 6)], 8));
  if (permissionSets.length > 0) {
    const cards = permissionSets.map(({ name, description, repository, pipelines }) =>
      card([
        line(name, 14, { bold: true }),
        ...(description === undefined ? [] : [line(description, 12, { look: "muted" })]),
        row([level("repository", repository), level("pipelines", pipelines)], 6),
      ]),
    );
    boxes.push(column([line("Permission sets", 16, { bold: true }), row(cards, 10)], 8));
  }
  return boxes;
}

function personBox({ name, admin }: GraphPerson, groups: readonly string[], rights: readonly Box[]): Box {
  const heading = {
    ...row([line(name, 14, { bold: true }), ...(admin ? [badge("administrator", "admin")] : [])], 8),
    center: true,
  };
  const details = [...groups.map((group) => badge(group, "group")), ...rights];
  return card([heading, ...(details.length > 0 ? [{ ...row(details, 6), center: true }] : [])]);
}

const kindOf = (condition: string) =>
  /failure|terminate/.test(condition)
    ? "failure"
    : /success/.test(condition)
      ? "success"
      : /disabled/.test(condition)
        ? "disabled"
        : "warning";
const levels: Readonly<Record<string, string>> = {
  DENIED: "disabled",
  READ_ONLY: "trigger",
  RUN_ONLY: "warning",
  READ_WRITE: "success",
};
const level = (of: string, word: string) => badge(`${of}: ${humanReadable(word)}`, levels[word] ?? "trigger");
const right = (who: string, set: string): Box => ({
  look: "right",
  direction: "row",
  center: true,
  gap: 6,
  padding: [2, 8],
  children: [line(who, 12, { maxWidth: 220 }), line(set, 12, { look: "muted", maxWidth: 180 })],
});
const badge = (value: string, kind: string): Box => ({
  look: `badge ${kind}`,
  padding: [1, 8],
  children: [line(value, 11, { look: kind, maxWidth: 300 })],
});
const card = (children: readonly Box[]): Box => ({
  look: "card",
  padding: [10, 14],
  gap: 8,
  grow: true,
  minWidth: 260,
  children,
});
const row = (children: readonly Box[], gap: number): Box => ({ direction: "row", wrap: true, gap, children });
const column = (children: readonly Box[], gap: number): Box => ({ gap, children });
const line = (value: string, size: number, more: Omit<Text, "value" | "size"> = {}): Box => ({
  text: { value, size, ...more },
});
const counted = (count: number, noun: string, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;
