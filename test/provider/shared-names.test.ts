/** Tests actions of a pipeline that share a name: declarations tell them apart by `key`, and adoptions by `action`. */
import { expect, it } from "vitest";
import { freshForEach } from "./fresh.js";

const fresh = freshForEach();
const base = { type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com", name: "Ping" };

/** A pipeline, and its actions at the service. */
async function pipelineWithout() {
  const { emulator, engine } = fresh;
  await engine.create("Project", { name: "web" });
  const pipeline = {
    project: "web",
    name: "deploy",
    triggerMode: "MANUAL",
    refType: "BRANCH",
    refName: "main",
  };
  const { outs } = await engine.create("Pipeline", pipeline);
  const at = { project: "web", pipeline: outs["pipelineId"] };
  const path = `/workspaces/acme/projects/web/pipelines/${String(outs["pipelineId"])}/actions`;
  const edit = async (method: "GET" | "POST", body?: object) =>
    (await emulator.edit({ method, path, ...(body ? { body } : {}) })).body as Record<string, unknown>;
  const list = async () => (await edit("GET"))["actions"] as { id: number; name: string; key?: unknown }[];
  const post = async (destination: string) =>
    Number(
      (await edit("POST", { ...base, triggerTime: undefined, trigger_time: base.triggerTime, destination }))[
        "id"
      ],
    );
  return { at, list, post };
}

it("are created side by side where each has a key, which is never sent", async () => {
  const { at, list } = await pipelineWithout();
  const { engine } = fresh;
  const one = await engine.create("Action", { ...base, ...at, key: "Ping" });
  await expect(engine.create("Action", { ...base, ...at })).rejects.toThrow("already exists");
  const two = await engine.create("Action", { ...base, ...at, key: "Ping 2", destination: "example.org" });
  expect(one.id).not.toBe(two.id);
  const shown = await list();
  expect(shown.map(({ name }) => name)).toEqual(["Ping", "Ping"]);
  expect(shown.some((action) => "key" in action)).toBe(false);
  expect(await engine.refresh(two)).toMatchObject({ id: two.id, outs: { destination: "example.org" } });
  const { changes } = await engine.unchanged({ ...two, inputs: { ...two.inputs, key: "Ping 3" } });
  expect(changes).toBe(false);
});

it("are adopted by their numbers, and by a name alone only if there is one", async () => {
  const { at, post } = await pipelineWithout();
  const { engine } = fresh;
  const [first, second] = [await post("a.example.com"), await post("b.example.com")];
  await expect(engine.create("Action", { ...base, ...at, adopt: true })).rejects.toThrow(
    `exists several times in workspace acme (numbers ${first}, ${second}): say which one with "action: <number>", or delete or rename all but one of them in the service`,
  );
  const adopted = await engine.create("Action", {
    ...base,
    ...at,
    key: "Ping 2",
    adopt: true,
    action: second,
  });
  expect(adopted.outs).toMatchObject({ actionId: second, destination: "example.com" });
  await expect(engine.create("Action", { ...base, ...at, key: "Ping", action: first })).rejects.toThrow(
    "already exists",
  );
});

it("with a number that the pipeline does not have are created", async () => {
  const { at, list, post } = await pipelineWithout();
  const existing = await post("a.example.com");
  const args = { ...base, ...at, key: "Ping 2", adopt: true, action: existing + 100 };
  const created = await fresh.engine.create("Action", args);
  expect((await list()).map(({ id }) => id)).toEqual([existing, created.outs["actionId"]]);
});
