/** Pipelines and actions for tests. */
import { make, start, ws } from "./support.js";

export const PP = `${ws}/projects/web/pipelines`;
export const always = { trigger_time: "ON_EVERY_EXECUTION" };

/** Creates a project with one pipeline and returns the path of its actions. */
export async function prepared(options: Parameters<typeof start>[0] = {}) {
  const { emulator, call } = await start(options);
  await make(call, "POST", `${ws}/projects`, { name: "web" });
  const pipeline = await make(call, "POST", PP, { name: "p", ref_name: "main", trigger_mode: "MANUAL" });
  const { integrations } = await make(call, "GET", "/user/integrations");
  return {
    emulator,
    call,
    path: `${PP}/${pipeline.id}/actions`,
    pipeline,
    integration: { id: integrations[0].id },
  };
}
