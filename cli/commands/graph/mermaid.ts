/** Draws a workspace as a Mermaid flowchart. */
import type { GraphPart } from "../../options/graph-parts.js";
import { type Graph, type GraphPipeline, type GraphProject, humanize } from "./model.js";

/** Mermaid's default limits. */
const [MAX_EDGES, MAX_TEXT] = [500, 50_000];

/** Draws the selected parts. */
export function drawMermaid(graph: Graph, shown: ReadonlySet<GraphPart>): string {
  const lines = ["flowchart LR"];
  graph.projects.forEach((project, index) => lines.push(...formatProjectLines(project, `p${index}`, shown)));
  if (shown.has("access")) lines.push(...accessLines(graph));
  const classes = [
    "classDef failure stroke:#cf222e,stroke-dasharray:5 3",
    "classDef condition stroke:#9a6700,stroke-dasharray:5 3",
    "classDef admin stroke-width:3px",
  ];
  return [
    lines[0],
    ...lines.slice(1).map((line) => `  ${line}`),
    ...classes.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** Explains why Mermaid would reject a drawing, if it would. */
export function explainTooMuch(text: string): string | undefined {
  const edges = text.match(/ (-->|-\.->|---) ?/g)?.length ?? 0;
  if (edges <= MAX_EDGES && text.length <= MAX_TEXT) return undefined;
  return (
    `this drawing has ${edges} lines between its parts and ${text.length} characters; Mermaid refuses more than ` +
    `${MAX_EDGES} and ${MAX_TEXT} unless it is configured (maxEdges, maxTextSize): draw less with --parts and --project`
  );
}

function formatProjectLines(project: GraphProject, id: string, shown: ReadonlySet<GraphPart>): string[] {
  const title = `Project ${project.name}${project.displayName === undefined ? "" : `: ${project.displayName}`}`;
  const pipelines = shown.has("pipelines") ? project.pipelines : [];
  if (pipelines.length === 0) return [`${id}[${quoteLabel(title)}]`];
  const inner = pipelines.flatMap((pipeline, index) => formatPipelineLines(pipeline, `${id}l${index}`));
  return [
    `subgraph ${id}[${quoteLabel(title)}]`,
    "  direction LR",
    ...inner.map((line) => `  ${line}`),
    "end",
  ];
}

function formatPipelineLines({ name, trigger, actions }: GraphPipeline, id: string): string[] {
  const title = quoteLabel(`Pipeline ${name}, ${trigger}`);
  if (actions.length === 0) return [`${id}[${title}]`];
  const lines: string[] = [];
  let before: string | undefined;
  for (const { position, name: action, type, condition } of actions) {
    const node = `${id}a${position}`;
    const shown = `${node}[${quoteLabel(`${position} · ${action}`, type)}]`;
    if (condition === undefined) {
      lines.push(before === undefined ? shown : `${before} --> ${shown}`);
      before = node;
    } else {
      const style = `${shown}:::${/failure/.test(condition) ? "failure" : "condition"}`;
      lines.push(before === undefined ? style : `${before} -.-> |${quoteLabel(condition)}| ${style}`);
    }
  }
  return [`subgraph ${id}[${title}]`, "  direction LR", ...lines.map((line) => `  ${line}`), "end"];
}

function accessLines({ people, groups, permissionSets, projects }: Graph): string[] {
  const person = new Map(people.map(({ name }, index) => [name, `m${index}`]));
  const levels = new Map(
    permissionSets.map((set) => [
      set.name,
      `repository: ${humanize(set.repository)}, pipelines: ${humanize(set.pipelines)}`,
    ]),
  );
  const nodes = [
    ...people.map(
      ({ name, admin }) =>
        `${person.get(name)}([${quoteLabel(name, admin ? "administrator" : "")}])${admin ? ":::admin" : ""}`,
    ),
    ...groups.map(({ name }, index) => `g${index}{{${quoteLabel(`Group ${name}`)}}}`),
    ...groups.flatMap(({ members }, index) => members.map((name) => `${person.get(name)} --- g${index}`)),
  ];
  const rights = projects.flatMap(({ access }, index) =>
    access.map(({ person: name, permissionSet }) => {
      const words = quoteLabel(permissionSet, levels.get(permissionSet) ?? "");
      return `${person.get(name)} --> |${words}| p${index}`;
    }),
  );
  if (nodes.length === 0) return [];
  const box = [
    `subgraph people[${quoteLabel("Who can do what")}]`,
    "  direction TB",
    ...nodes.map((line) => `  ${line}`),
    "end",
  ];
  return [...box, ...rights];
}

/** Quotes a text, so that Mermaid, HTML and Markdown treat it as plain text. */
function quoteLabel(text: string, below = ""): string {
  return `"${escapeLabel(text)}${below === "" ? "" : `<br/>${escapeLabel(below)}`}"`;
}

function escapeLabel(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[^\p{L}\p{N} .,:()/@·-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
