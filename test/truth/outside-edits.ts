/** Changes a workspace by hand at random: objects of every kind are changed, deleted and added. */
import type { Emulator } from "../../emulator/index.js";
import type { Random } from "../chaos/random.js";

type Json = Record<string, unknown>;
type Method = "POST" | "PATCH" | "DELETE";

interface Edit {
  readonly method: Method;
  readonly path: string;
  readonly body?: Json;
}

/**
 * Makes some edits. Each is chosen among those that the workspace then allows.
 * @returns what was sent, for the message of a failure
 */
export async function editAtRandom(emulator: Emulator, random: Random, count: number): Promise<string[]> {
  const done: string[] = [];
  while (done.length < count) {
    const { method, path, body } = random.pick(await possibleEdits(emulator, random));
    const { status } = await emulator.edit({ method, path: prefix(emulator) + path, body });
    // The service refuses some, such as a second object of the same name.
    if (status < 300) done.push(`${method} ${path} ${JSON.stringify(body ?? {})}`);
  }
  return done;
}

const prefix = ({ workspace }: Emulator) => `/workspaces/${workspace}/`;

async function possibleEdits(emulator: Emulator, random: Random): Promise<Edit[]> {
  const get = async (path: string): Promise<Json> => {
    const { body } = await emulator.edit({ method: "GET", path: prefix(emulator) + path });
    return body as Json;
  };
  const all = async (path: string): Promise<Json[]> =>
    Object.values(await get(path)).find(Array.isArray) as Json[];
  const text = () => `by hand ${random.below(1000)}`;
  const members = (await all("members")).filter(({ email }) => email !== "owner@example.com");
  const groups = await all("groups");
  const sets = (await all("permissions")).filter(({ type }) => type === "CUSTOM");
  const edits: Edit[] = [
    { method: "POST", path: "groups", body: { name: `Added ${random.below(1000)}`, description: text() } },
    { method: "POST", path: "variables", body: { key: `ADDED_${random.below(1000)}`, value: text() } },
    { method: "POST", path: "members", body: { email: `added${random.below(1000)}@example.com` } },
  ];
  for (const { id } of members)
    edits.push({ method: "PATCH", path: `members/${id as number}`, body: { admin: random.chance(0.5) } });
  for (const { id } of groups) {
    const path = `groups/${id as number}`;
    edits.push({ method: "PATCH", path, body: { description: text() } }, { method: "DELETE", path });
    for (const member of members)
      edits.push({ method: "POST", path: `${path}/members`, body: { id: member["id"] } });
    for (const member of await all(`${path}/members`))
      edits.push({ method: "DELETE", path: `${path}/members/${member["id"] as number}` });
  }
  for (const { id } of sets) {
    const level = random.pick(["READ_ONLY", "READ_WRITE"]);
    edits.push({
      method: "PATCH",
      path: `permissions/${id as number}`,
      body: { ...(await whole(get, `permissions/${id as number}`)), repository_access_level: level },
    });
  }
  for (const variable of await all("variables")) edits.push(...ofVariable(variable, text()));
  for (const { name } of await all("projects")) {
    const path = `projects/${name as string}`;
    edits.push({ method: "PATCH", path, body: { display_name: text() } });
    const owner = { project: { name } };
    edits.push({
      method: "POST",
      path: "variables",
      body: { key: `ADDED_${random.below(1000)}`, value: text(), ...owner },
    });
    for (const variable of await all(`variables?projectName=${name as string}`))
      edits.push(...ofVariable(variable, text()));
    edits.push(...(await ofPipelines(path, all, random)));
  }
  return edits;
}

async function ofPipelines(
  project: string,
  all: (path: string) => Promise<Json[]>,
  random: Random,
): Promise<Edit[]> {
  const text = () => `by-hand-${random.below(1000)}`;
  const edits: Edit[] = [
    {
      method: "POST",
      path: `${project}/pipelines`,
      body: { name: `Added ${text()}`, trigger_mode: "MANUAL", ref_type: "BRANCH", ref_name: "main" },
    },
  ];
  for (const { id } of await all(`${project}/pipelines`)) {
    const path = `${project}/pipelines/${id as number}`;
    edits.push({ method: "PATCH", path, body: { ref_name: text() } });
    if (random.chance(0.3)) edits.push({ method: "DELETE", path });
    const ping = { type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: `${text()}.example.com` };
    edits.push({ method: "POST", path: `${path}/actions`, body: { ...ping, name: `Added ${text()}` } });
    const actions = await all(`${path}/actions`);
    for (const action of actions) {
      const of = `${path}/actions/${action["id"] as number}`;
      edits.push(
        { method: "PATCH", path: of, body: { name: `Renamed ${text()}` } },
        { method: "DELETE", path: of },
      );
      if (action["type"] === "PING")
        edits.push({ method: "PATCH", path: of, body: { destination: `${text()}.example.com` } });
      if (action["type"] === "BUILD")
        edits.push({ method: "PATCH", path: of, body: { execute_commands: ["npm ci", text()] } });
      const first = actions[0]?.["id"];
      if (first !== action["id"]) edits.push({ method: "PATCH", path: of, body: { after_action_id: first } });
      for (const variable of await all(`variables?actionId=${action["id"] as number}`))
        edits.push(...ofVariable(variable, text()));
    }
  }
  return edits;
}

function ofVariable({ id, key }: Json, value: string): Edit[] {
  const path = `variables/${id as number}`;
  return [
    { method: "PATCH", path, body: { key, value } },
    { method: "DELETE", path },
  ];
}

/** The four fields that the service wants in each edit of a permission set. */
async function whole(get: (path: string) => Promise<Json>, path: string): Promise<Json> {
  const { name, description, pipeline_access_level, sandbox_access_level } = await get(path);
  return { name, description, pipeline_access_level, sandbox_access_level };
}
