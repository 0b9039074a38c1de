/** The lists that the page of an object shows besides its own fields, and what can be created in them. */
export interface Section {
  readonly title: string;
  /** API path of the list. */
  readonly list: string;
  /** Query of the list. */
  readonly query?: string;
  /** Fields of every new object. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Label of a button that creates an object of the preset alone, without a form. */
  readonly button?: string;
}

type Make = (path: string, id: string) => readonly Section[];

const listBelow = (path: string, ...lists: readonly (readonly [title: string, list: string])[]): Section[] =>
  lists.map(([title, list]) => ({ title, list: path + list }));

/** @param path API path of the object, and what the variables belong to */
function createVariableSection(
  path: string,
  query: string,
  preset: Readonly<Record<string, unknown>>,
): Section {
  return { title: "Variables", list: `${path.split("/", 3).join("/")}/variables`, query, preset };
}

const sections: readonly (readonly [RegExp, Make])[] = [
  [
    /^\/workspaces\/([^/]+)$/,
    (path) =>
      listBelow(
        path,
        ["Projects", "/projects"],
        ["Members", "/members"],
        ["Groups", "/groups"],
        ["Permission sets", "/permissions"],
        ["Variables", "/variables"],
      ),
  ],
  [
    /\/projects\/([^/]+)$/,
    (path, name) => [
      ...listBelow(path, ["Pipelines", "/pipelines"], ["Members", "/members"]),
      createVariableSection(path, `projectName=${name}`, { project: { name: decodeURIComponent(name) } }),
      ...listBelow(
        path,
        ["Branches", "/repository/branches"],
        ["Commits", "/repository/commits"],
        ["Files", "/repository/contents"],
      ),
    ],
  ],
  [
    /\/pipelines\/(\d+)$/,
    (path, id) => [
      {
        title: "Executions",
        list: `${path}/executions`,
        preset: { to_revision: { revision: "HEAD" } },
        button: "Run",
      },
      { title: "Actions", list: `${path}/actions` },
      createVariableSection(path, `pipelineId=${id}`, { pipeline: { id: Number(id) } }),
    ],
  ],
  [/\/groups\/(\d+)$/, (path) => listBelow(path, ["Members", "/members"])],
];

/** @param path API path of an object */
export function listSections(path: string): readonly Section[] {
  for (const [pattern, make] of sections) {
    const match = pattern.exec(path);
    if (match) return make(path, match[1] ?? "");
  }
  return [];
}
