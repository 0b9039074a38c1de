/** Tests that actions get their order in a service whose reads lag behind its writes. */
import { expect, it } from "vitest";
import { freshForEach } from "./fresh.js";

const fresh = freshForEach({ newActionPosition: "first" });

it("new actions get their order although the list shows neither the last of them nor the moves yet", async () => {
  const { emulator, engine } = fresh;
  await engine.create("Project", { displayName: "Web", name: "web" });
  const pipeline = await engine.create("Pipeline", {
    ...{ project: "web", name: "deploy", triggerMode: "MANUAL", refName: "main" },
  });
  emulator.settings.lagRequests = 1;
  const actions: unknown[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    const ping = { type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" };
    const args = { project: "web", pipeline: pipeline.outs["pipelineId"], name, ...ping };
    actions.push((await engine.create("Action", args)).outs["actionId"]);
  }
  const order = await engine.create("ActionOrder", {
    ...{ project: "web", pipeline: pipeline.outs["pipelineId"], actions },
  });
  expect(order.outs["actions"]).toEqual(actions);
  expect((await engine.refresh(order))?.outs["actions"]).toEqual(actions);
});
