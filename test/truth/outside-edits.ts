/** Changes a workspace by hand at random: objects of every kind, and any of their fields, are changed, deleted and added. */
import type { Emulator } from "../../emulator/index.js";
import type { Random } from "../chaos/random.js";
import { type Shown, Snapshot } from "./snapshot.js";
import { awkwardTexts } from "./texts.js";

type Json = Record<string, unknown>;
type Method = "POST" | "PATCH" | "PUT" | "DELETE";

interface Edit {
  readonly method: Method;
  readonly path: string;
  readonly body?: Json | undefined;
}

/** An edit that the service took. */
interface Made {
  /** What was sent, for the message of a failure. */
  readonly text: string;
  /** Type of the object that was changed, deleted or added. */
  readonly type: string;
}

/**
 * Makes some edits. Each is chosen among those that the workspace then allows.
 * @param recreates also deletes objects and creates others of the same name
 */
export async function editAtRandom(
  emulator: Emulator,
  random: Random,
  count: number,
  { recreates = false } = {},
): Promise<Made[]> {
  const done: Made[] = [];
  while (done.length < count) {
    const objects = (await Snapshot.of(emulator)).all.filter(isForeign);
    const kinds = [...new Set(objects.map(({ type }) => type))];
    const wanted = random.pick(kinds);
    const object = random.pick(objects.filter(({ type }) => type === wanted));
    const adds = random.chance(0.2);
    const again = recreates && random.chance(0.3) ? recreation(object) : [];
    const chosen = adds
      ? random.pick(additions(random, object, objects))
      : random.pick(random.pick(editsOf(object, random, objects)));
    for (const { method, path, body } of again.length > 0 ? again : [chosen]) {
      const at = `/workspaces/${emulator.workspace}/${path}`;
      const { status } = await emulator.edit({ method, path: at, body });
      // The service refuses some, such as a second object of the same name and values of another type.
      if (status >= 300) break;
      const text = `${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 200)}`;
      done.push({ text, type: adds && again.length === 0 ? "added" : object.type });
    }
  }
  return done;
}

/** Whether the object belongs neither to the calling user nor to the service. */
function isForeign({ names, says }: Shown): boolean {
  return !names.includes("owner@example.com") && !["DEVELOPER", "READ_ONLY"].includes(says["type"] as string);
}

/** The path of an object below its workspace. */
function pathOf({ type, id, names }: Shown): string {
  const [, ...parts] = id.split("/");
  const [first = "", second = ""] = parts;
  const project = `projects/${names[0]}`;
  return {
    WorkspaceMember: `members/${first}`,
    PermissionSet: `permissions/${first}`,
    Group: `groups/${first}`,
    GroupMember: `groups/${first}/members/${second}`,
    Project: project,
    ProjectMember: `${project}/members/${second}`,
    Branch: `${project}/repository/branches/${encodeURIComponent(names[1] ?? "")}`,
    RepositoryFile: `${project}/repository/contents/${encodeURI(names[1] ?? "")}`,
    Pipeline: `${project}/pipelines/${second}`,
    Action: `${project}/pipelines/${first}/actions/${second}`,
    Variable: `variables/${first}`,
  }[type]!;
}

/** Returns the edits of each field, so that each field is changed as often. */
function editsOf(object: Shown, random: Random, all: readonly Shown[]): Edit[][] {
  const path = pathOf(object);
  const { type, says } = object;
  if (type === "RepositoryFile") {
    const text = random.pick([`by hand ${random.below(1000)}\n`, ...awkwardTexts("by hand")]);
    const content = Buffer.from(text).toString("base64");
    const put: Edit[] = [{ method: "PUT", path, body: { content, message: "By hand" } }];
    // A fresh repository without a file has no commit at which a branch could begin.
    const inProject = all.filter(({ names }) => names[0] === object.names[0]);
    const isLast = inProject.filter((one) => one.type === type).length === 1;
    if (isLast && inProject.some((one) => one.type === "Branch")) return [put];
    return [put, [{ method: "DELETE", path, body: { message: "By hand" } }]];
  }
  const edits: Edit[][] = [];
  // A deleted project takes all that it contains with it, and leaves little to look at.
  if (type !== "Project" || random.chance(0.1)) edits.push([{ method: "DELETE", path }]);
  if (type === "Branch" || type === "GroupMember") return edits;
  const patch = (body: Json): Edit => ({ method: "PATCH", path, body: { ...always(object), ...body } });
  if (type === "ProjectMember")
    edits.push(
      all
        .filter((one) => one.type === "PermissionSet")
        .map((set) => patch({ permission_set: { id: Number(set.id.split("/")[1]) } })),
    );
  // A project that was renamed by hand is another one for its stack.
  const fields = Object.keys(says).filter((field) => !(type === "Project" && field === "name"));
  for (const field of fields)
    edits.push(
      otherValues(field, says[field], random).map((value) =>
        patch({ [field]: value, ...(value === "SCHEDULED" ? { cron: "0 5 * * *" } : {}) }),
      ),
    );
  const others = all.filter(
    (one) => one.type === "Action" && one !== object && one.id.startsWith(`${findParent(object)}/`),
  );
  if (type === "Action")
    edits.push(others.map(({ id }) => patch({ after_action_id: Number(id.split("/").at(-1)) })));
  return edits.filter((some) => some.length > 0);
}

/** Deletes an object and creates another of the same name, of a type where one request does. */
function recreation(object: Shown): Edit[] {
  const { type, says, names } = object;
  const path = pathOf(object);
  const post = (body: Json): Edit[] => [
    { method: "DELETE", path },
    { method: "POST", path: path.slice(0, path.lastIndexOf("/")), body },
  ];
  if (type === "Group") return post({ name: names[0], description: "By hand" });
  if (type === "PermissionSet") return post(always(object));
  if (type === "Variable" && names.length === 1 && says["encrypted"] !== true)
    return post({ ...always(object), description: "By hand" });
  const manual = { trigger_mode: "MANUAL", ref_type: "BRANCH", ref_name: "main" };
  return type === "Pipeline" ? post({ name: names[1], ...manual }) : [];
}

const findParent = ({ id }: Shown) => id.slice(0, id.lastIndexOf("/"));

/** The fields that the service wants in each edit of an object. */
function always({ type, says }: Shown): Json {
  const names =
    {
      PermissionSet: ["name", "description", "repository_access_level", "pipeline_access_level"],
      Variable: ["key", "value"],
      Pipeline: says["trigger_mode"] === "SCHEDULED" && says["delay"] != null ? ["start_date", "delay"] : [],
    }[type] ?? [];
  return Object.fromEntries(names.map((name) => [name, says[name]]));
}

const choices: Readonly<Record<string, readonly string[]>> = {
  repository_access_level: ["DENIED", "READ_ONLY", "READ_WRITE"],
  pipeline_access_level: ["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"],
  trigger_mode: ["MANUAL", "ON_EVERY_PUSH", "SCHEDULED"],
  ref_type: ["BRANCH", "TAG", "WILDCARD", "PULL_REQUEST"],
  trigger_time: ["ON_EVERY_EXECUTION", "ON_FAILURE", "ON_BACK_TO_SUCCESS"],
  shell: ["SH", "BASH"],
  method: ["GET", "POST", "PUT"],
};

/** Values of the same type that differ. A field that is not set gets values of every type. */
function otherValues(field: string, value: unknown, random: Random): unknown[] {
  const text = `by-hand-${random.below(1000)}`;
  const options = choices[field];
  if (options !== undefined) return options.filter((one) => one !== value);
  if (field === "email") return [];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1];
  if (typeof value === "string") {
    const usual = [text, `${value} ${text}`, `${text}.example.com`, `https://${text}.example.com/`];
    return random.chance(0.5) ? usual : awkwardTexts(value);
  }
  if (value === null || value === undefined) return [text, true, 7, [text]];
  if (Array.isArray(value)) return [[...(value as unknown[]), text], value.slice(1), value.toReversed()];
  return [];
}

/** Objects to add next to an object, or to it. */
function additions(random: Random, { type, names, id }: Shown, all: readonly Shown[]): Edit[] {
  const number = random.below(1000);
  const post = (path: string, body: Json): Edit => ({ method: "POST", path, body });
  const variable = (owner: Json = {}) =>
    post("variables", { key: `ADDED_${number}`, value: `by hand ${number}`, ...owner });
  const project = `projects/${names[0]}`;
  const [, first = "", second = ""] = id.split("/");
  const numbersOf = (wanted: string) =>
    all.filter((one) => one.type === wanted).map((one) => Number(one.id.split("/")[1]));
  const people = numbersOf("WorkspaceMember");
  switch (type) {
    case "Group":
      return people.map((person) => post(`groups/${first}/members`, { id: person }));
    case "Project":
      return [
        variable({ project: { name: names[0] } }),
        post(`${project}/pipelines`, {
          ...{ name: `Added ${number}`, trigger_mode: "MANUAL", ref_type: "BRANCH", ref_name: "main" },
        }),
        ...people.flatMap((person) =>
          numbersOf("PermissionSet").map((set) =>
            post(`${project}/members`, { id: person, permission_set: { id: set } }),
          ),
        ),
      ];
    case "Pipeline":
      return [
        variable({ pipeline: { id: Number(second) } }),
        post(`${project}/pipelines/${second}/actions`, {
          ...{ name: `Added ${number}`, type: "PING", trigger_time: "ON_EVERY_EXECUTION" },
          destination: `added-${number}.example.com`,
        }),
      ];
    case "Action":
      return [variable({ action: { id: Number(second) } })];
    case "PermissionSet":
      return [
        post("permissions", {
          ...{ name: `added ${number}`, description: "By hand" },
          ...{ repository_access_level: "READ_ONLY", pipeline_access_level: "READ_ONLY" },
        }),
      ];
    case "WorkspaceMember":
      return [post("members", { email: `added${number}@example.com` })];
    default:
      return [post("groups", { name: `Added ${number}`, description: `by hand ${number}` }), variable()];
  }
}
