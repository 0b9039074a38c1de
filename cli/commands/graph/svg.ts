/** Draws a workspace as an SVG image for light and dark backgrounds. */
import { escaped } from "../../terminal/markup.js";
import { draw, type Box, type Text } from "./boxes.js";
import {
  type GraphAction,
  type Graph,
  type GraphPerson,
  type GraphPipeline,
  type GraphProject,
  humanReadable,
} from "./model.js";
import type { GraphPart } from "./parts.js";

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

/** The style sheet of the drawing, with colors for light and dark. */
interface Look {
  readonly text: string;
  readonly line: string;
  readonly fill: string;
}

const kinds: Readonly<Record<string, readonly [light: Look, dark: Look]>> = {
  always: [look("#1f2328", "#8c959f", "#ffffff"), look("#e6edf3", "#6e7681", "#21262d")],
  trigger: [look("#0550ae", "#54aeff", "#ddf4ff"), look("#79c0ff", "#1f6feb", "#0d2238")],
  failure: [look("#a40e26", "#cf222e", "#ffebe9"), look("#ff8182", "#da3633", "#301417")],
  success: [look("#116329", "#2da44e", "#dafbe1"), look("#56d364", "#238636", "#0f2a18")],
  warning: [look("#7d4e00", "#bf8700", "#fff8c5"), look("#e3b341", "#9e6a03", "#2b2111")],
  disabled: [look("#656d76", "#afb8c1", "#eaeef2"), look("#8b949e", "#484f58", "#1c2128")],
  admin: [look("#6639ba", "#8250df", "#fbefff"), look("#d2a8ff", "#8957e5", "#271943")],
  group: [look("#953800", "#bc4c00", "#fff1e5"), look("#ffa657", "#bd561d", "#2d1a0c")],
};

function look(text: string, line: string, fill: string): Look {
  return { text, line, fill };
}

const palette = (index: 0 | 1) => {
  const [page, card, pipeline, border, text, muted] =
    index === 0
      ? ["#f6f8fa", "#ffffff", "#f6f8fa", "#d0d7de", "#1f2328", "#59636e"]
      : ["#0d1117", "#161b22", "#0d1117", "#30363d", "#e6edf3", "#9198a1"];
  const rules = [
    `.page{fill:${page}}`,
    `.card{fill:${card};stroke:${border}}`,
    `.pipeline,.right{fill:${pipeline};stroke:${border}}`,
    `text{fill:${text}}`,
    `text.muted{fill:${muted}}`,
  ];
  for (const [kind, looks] of Object.entries(kinds)) {
    const { text: color, line, fill } = looks[index];
    rules.push(
      `rect.${kind}{fill:${fill};stroke:${line}}`,
      `text.${kind}{fill:${color}}`,
      `path.${kind}{stroke:${line}}`,
    );
  }
  return rules.join("");
};

/** The style sheet of the image. */
const svgStyle = [
  "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}",
  ".bold{font-weight:600}",
  ".arrow{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}",
  "rect.action{stroke-width:1.2}rect.action:not(.always){stroke-dasharray:5 3}",
  palette(0),
  `@media(prefers-color-scheme:dark){${palette(1)}}`,
].join("");
