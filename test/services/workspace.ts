/** Random workspaces for stories of random services: objects in the order in which they can be created. */
import { getDefinition } from "../../provider/index.js";
import type { Random } from "../chaos/random.js";
import type { State } from "../provider/engine.js";

type Props = Record<string, unknown>;

export interface StoryObject {
  readonly name: string;
  readonly type: string;
  args: Props;
  /** Names of the objects that arguments refer to, by argument. */
  readonly refers: Readonly<Record<string, string>>;
}

/** A value that must never be printed. */
export const SECRET = "s3cret-value-of-a-story";

/** Names that a service may spell in another way. */
const NAMES = ["Review", "Müller", "Mu\u0308ller", "Ärzte team", "qa", "Release-2"];
const ADDRESSES = ["ann@example.com", "Bob@Example.com", "CARL@example.com"];

export function declareWorkspace(random: Random): StoryObject[] {
  const all: StoryObject[] = [];
  const add = (name: string, type: string, args: Props, refers: Record<string, string> = {}) =>
    all.push({ name, type, args, refers });
  const [address] = random.shuffled(ADDRESSES);
  add("member", "WorkspaceMember", { email: address, admin: random.chance(0.3) });
  const levels = { repositoryAccessLevel: "READ_ONLY", pipelineAccessLevel: "RUN_ONLY" };
  add("set", "PermissionSet", { name: random.pick(NAMES), description: "Of the story", ...levels });
  for (const name of random.some(NAMES.slice(0, 2), 0.6))
    add(`group ${name}`, "Group", { name, description: name });
  if (all.at(-1)?.type === "Group")
    add("in group", "GroupMember", {}, { group: all.at(-1)!.name, member: "member" });
  for (let index = 0; index < random.pick([2, 12, 23]); index += 1)
    add(`variable ${index}`, "Variable", { key: `K${index}`, value: `v${index}` });
  add("project", "Project", { name: "web", displayName: random.pick(NAMES) });
  const project = { project: "project" };
  add("in project", "ProjectMember", {}, { ...project, member: "member", permissionSet: "set" });
  add("secret", "Variable", { key: "SECRET", value: SECRET, encrypted: true }, project);
  const trigger = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };
  add("pipeline", "Pipeline", { name: random.pick(NAMES), ...trigger }, project);
  for (let index = 0; index < random.between(1, 4); index += 1) {
    const ping = { type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: `host-${index}` };
    add(
      `action ${index}`,
      "Action",
      { name: `Ping ${index}`, ...ping },
      { ...project, pipeline: "pipeline" },
    );
  }
  return all;
}

/** Changes some values that can be changed in place. */
export function changeWorkspace(random: Random, objects: readonly StoryObject[]): void {
  for (const object of random.some(objects, 0.3)) {
    if (object.type === "Variable" && object.name !== "secret") object.args["value"] = "changed";
    if (object.type === "Group") object.args["description"] = random.chance(0.5) ? "changed" : "";
    if (object.type === "Action") object.args["destination"] = "changed";
    if (object.type === "Project") object.args["displayName"] = "changed";
  }
}

/** Returns the arguments with the values of the objects that they refer to. */
export function resolveArguments(
  { type, args, refers }: StoryObject,
  states: ReadonlyMap<string, State>,
): Props {
  const { references } = getDefinition(type);
  const resolved: Props = { ...args };
  for (const [name, target] of Object.entries(refers)) {
    const state = states.get(target);
    if (state === undefined) throw new Error(`${target} does not exist`);
    const { property, copies = {} } = references[name] ?? {};
    resolved[name] = property === undefined ? Number(state.id.split("/").at(-1)) : state.outs[property];
    for (const [arg, output] of Object.entries(copies))
      resolved[arg] = output === "id" ? state.id : state.outs[output];
  }
  return resolved;
}
