/** What the service shows of a workspace, read without client and provider: the judge of plans and drift reports. */
import { isSameJson } from "../../diff/values.js";
import type { Emulator } from "../../emulator/index.js";
import { escapeKey } from "../../resources/definition/logical-name.js";
import { shownIn, type ShownObject } from "../cli/commands/export/generated/shown.js";
import { FILES } from "./workspace.js";

type Json = Readonly<Record<string, unknown>>;

export interface Shown extends ShownObject {
  /** The logical name of an object that is called so in a file. */
  readonly name: string;
}

/** The sections that lead to the objects of a type. A variable has as many of them as it has names. */
const sections: Readonly<Record<string, readonly string[]>> = {
  WorkspaceMember: ["members"],
  PermissionSet: ["permissionSets"],
  Group: ["groups"],
  GroupMember: ["groups", "members"],
  Project: ["projects"],
  ProjectMember: ["projects", "members"],
  Branch: ["projects", "branches"],
  RepositoryFile: ["projects", "files"],
  Pipeline: ["projects", "pipelines"],
  Action: ["projects", "pipelines", "actions"],
};
const parents = ["projects", "pipelines", "actions"];

/** Types whose ids contain the name of the project. */
const inProjects = ["Project", "ProjectMember", "Branch", "RepositoryFile", "Pipeline"];

export class Snapshot {
  private constructor(private readonly objects: ReadonlyMap<string, Shown>) {}

  static async of(emulator: Emulator): Promise<Snapshot> {
    const shown = await shownIn(emulator);
    const projects = shown.flatMap(({ type, names }) => (type === "Project" ? names : []));
    const all = [...shown, ...(await filesIn(emulator, projects))];
    const objects = all
      .map((one): Shown => ({ ...one, says: rightsById(one, all), name: nameOf(one) }))
      // By name, because ids follow from the order of parallel creations, and a seed repeats a story.
      .toSorted((one, other) => (`${one.type} ${one.name}` < `${other.type} ${other.name}` ? -1 : 1));
    return new Snapshot(new Map(objects.map((one) => [`${one.type} ${one.id}`, one])));
  }

  /** Returns the snapshot with the ids that objects had before their projects got new names, which are parts of some ids. */
  before(formerNames: ReadonlyMap<string, string>): Snapshot {
    const all = this.all.map((one) => {
      const [workspace = "", project = "", ...rest] = one.id.split("/");
      const former = inProjects.includes(one.type) ? formerNames.get(project) : undefined;
      return former === undefined ? one : { ...one, id: [workspace, former, ...rest].join("/") };
    });
    return new Snapshot(new Map(all.map((one) => [`${one.type} ${one.id}`, one])));
  }

  get all(): readonly Shown[] {
    return [...this.objects.values()];
  }

  /** Returns the same object in this snapshot, whatever it is called here. */
  same({ type, id }: ShownObject): Shown | undefined {
    return this.objects.get(`${type} ${id}`);
  }

  named(name: string): Shown | undefined {
    return this.all.find((one) => one.name === name);
  }

  /** Returns the ids of a pipeline's actions in their order. */
  order(pipeline: ShownObject): string[] {
    const inside = this.all.filter(({ type, id }) => type === "Action" && isWithin(id, pipeline.id));
    return inside.toSorted((a, b) => a.place! - b.place!).map(({ id }) => id);
  }
}

/** An action's id contains the number of its pipeline, but not the project. */
function isWithin(action: string, pipeline: string): boolean {
  return action.split("/").at(-2) === pipeline.split("/").at(-1);
}

/**
 * Returns the fields that differ, or `undefined` where an object is only on one side.
 * @param except a field that is not compared: names of permission sets change within a workspace, their numbers differ between two
 */
export function differing(
  one: ShownObject | undefined,
  other: ShownObject | undefined,
  except: "set" | "setId" = "set",
): string[] | undefined {
  if (one === undefined || other === undefined) return undefined;
  const fields = new Set([...Object.keys(one.says), ...Object.keys(other.says)]);
  fields.delete(except);
  return [...fields].filter((field) => !isSameJson(one.says[field], other.says[field]));
}

/** Adds the number of a permission set, which stays when its name changes. */
function rightsById({ type, says }: ShownObject, all: readonly ShownObject[]): Json {
  if (type !== "ProjectMember") return says;
  const set = all.find((one) => one.type === "PermissionSet" && one.names[0] === says["set"]);
  return { ...says, setId: set?.id };
}

function nameOf({ type, names }: ShownObject): string {
  const path = sections[type] ?? [...parents.slice(0, names.length - 1), "variables"];
  return path.flatMap((section, index) => [section, escapeKey(names[index] ?? "")]).join("/");
}

/** Reads the files that `workspace.ts` declares on the default branches. `shownIn` leaves them out. */
async function filesIn(emulator: Emulator, projects: readonly string[]): Promise<ShownObject[]> {
  const at = `/workspaces/${emulator.workspace}/projects`;
  const files: ShownObject[] = [];
  for (const name of projects) {
    for (const path of FILES) {
      const { contents } = await read(emulator, `${at}/${name}/repository/contents/${encodeURI(path)}`);
      const [file] = (contents ?? []) as Json[];
      if (file === undefined) continue;
      const id = `${emulator.workspace}/${name}/${path}`;
      files.push({ type: "RepositoryFile", names: [name, path], id, says: { content: file["content"] } });
    }
  }
  return files;
}

async function read(emulator: Emulator, path: string): Promise<Json> {
  const { status, body } = await emulator.edit({ method: "GET", path });
  if (status === 404) return {};
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
  return body as Json;
}
