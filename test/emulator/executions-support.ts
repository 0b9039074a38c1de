/** Fixtures of executions, with a frozen clock. */
import { Clock } from "../../emulator/index.js";
import { type ApiObject, type Caller, make, start, ws } from "./support.js";

export const PP = `${ws}/projects/web/pipelines`;
export const base64 = (text: string) => Buffer.from(text).toString("base64");
export const head = { to_revision: { revision: "HEAD" } };

export const ping = (name: string, more: object = {}) => ({
  name,
  type: "PING",
  trigger_time: "ON_EVERY_EXECUTION",
  destination: "example.com",
  ...more,
});

/** Creates a project with one commit and a pipeline, with a frozen clock. */
export async function prepared(actions: object[], pipeline: object = {}) {
  const clock = new Clock({ start: new Date("2030-01-01T00:00:00Z"), frozen: true });
  const { emulator, call } = await start({ clock });
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  const { commit } = await add(call, "README.md");
  const { id } = await make(call, "POST", PP, {
    name: "p",
    ref_name: "main",
    trigger_mode: "MANUAL",
    ...pipeline,
  });
  for (const action of actions) await make(call, "POST", `${PP}/${id}/actions`, action);
  const PE = `${PP}/${id}/executions`;
  const run = () => make(call, "POST", PE, head);
  const read = (execution: ApiObject) => make(call, "GET", `${PE}/${execution.id}`);
  const pipelineNow = () => make(call, "GET", `${PP}/${id}`);
  return { emulator, call, clock, id, PE, run, read, pipelineNow, revision: commit.revision };
}

export function add(call: Caller, path: string, more: object = {}) {
  const body = { path, content: base64(path), message: `Add ${path}`, ...more };
  return make(call, "POST", `${ws}/projects/web/repository/contents`, body);
}

export const states = (execution: ApiObject) =>
  execution.action_executions.map(
    ({ action, status, progress }) => `${action.name ?? ""} ${status} ${progress}`,
  );
