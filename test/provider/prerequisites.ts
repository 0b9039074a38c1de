/**
 * Creates the objects that the examples of a definition refer to: `@Group` stands for a newly created group.
 */
import type { Seed } from "../../emulator/index.js";
import { type Definition, getDefinition, mapReferences } from "../../provider/index.js";
import type { Engine, State } from "./engine.js";

type Reference = Definition["references"][string];
type Props = Record<string, unknown>;

const integrations = ["chat-main", "git-host", "platform-cli"].map((name) => ({
  name,
  type: name.toUpperCase(),
}));

/** Seeds the objects that examples refer to and that cannot be created through the API. */
export const exampleSeed: Seed = {
  users: [{ email: "owner@example.com", integrations }],
  workspaces: [{ domain: "acme", sandboxes: [{ id: "sandbox-1", identifier: "sandbox-1" }] }],
};

/** Replaces every `@Type` in the arguments by the id (or name) of a new object of that type. */
export async function withPrerequisites(engine: Engine, type: string, args: Props): Promise<Props> {
  const references = getDefinition(type).references;
  const result: Props = {};
  for (const [name, value] of Object.entries(args)) {
    const list = references[name];
    if (Array.isArray(value) && list?.list) {
      result[name] = await itemsWithPrerequisites(engine, list, value);
      continue;
    }
    if (!isPlaceholder(value)) {
      result[name] = value;
      continue;
    }
    const made = await make(engine, value);
    const reference = references[name];
    result[name] = reference?.property === undefined ? lastPart(made) : made.outs[reference.property];
    for (const [arg, output] of Object.entries(reference?.copies ?? {})) {
      result[arg] = output === "id" ? made.id : made.outs[output];
    }
  }
  for (const need of getDefinition(type).examples.needs ?? []) {
    const example = await withPrerequisites(engine, need, {
      ...getDefinition(need).examples.create,
      ...inProject(result),
    });
    await engine.create(need, { ...example, adopt: true });
  }
  return result;
}

/** Does the same for the items of a list of references, or of objects that contain references. */
async function itemsWithPrerequisites(engine: Engine, list: Reference, items: unknown[]): Promise<unknown> {
  const needed: string[] = [];
  mapReferences(list, items, (_reference, value) => {
    if (isPlaceholder(value)) needed.push(value);
    return value;
  });
  const ids: number[] = [];
  for (const placeholder of needed) ids.push(lastPart(await make(engine, placeholder)));
  return mapReferences(list, items, (_reference, value) => (isPlaceholder(value) ? ids.shift() : value));
}

function inProject(args: Props): Props {
  return args["project"] === undefined ? {} : { project: args["project"] };
}

let made = 0;

async function make(engine: Engine, placeholder: string): Promise<State> {
  const type = placeholder.slice(1);
  const definition = getDefinition(type);
  const variant = Object.values(definition.variants?.of ?? {})[0];
  const args = await withPrerequisites(engine, type, {
    ...definition.examples.create,
    ...variant?.examples.create,
  });
  made += 1;
  if ("name" in args) args["name"] = `${String(args["name"])}-${made}`;
  if ("email" in args) args["email"] = `person-${made}@example.com`;
  return engine.create(type, args);
}

function isPlaceholder(value: unknown): value is string {
  return typeof value === "string" && /^@[A-Z]/.test(value);
}

function lastPart(state: State): number {
  return Number(state.id.split("/").at(-1));
}
