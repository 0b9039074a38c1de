/** Tests `PipelineDefinition`: a pipeline with the list of its actions. */
import { describe, expect, it } from "vitest";
import * as sdk from "../../sdk/nodejs/index.js";
import { removeMocks } from "./remove-mocks.js";

removeMocks();

const ping = (name: string) =>
  ({ type: "PING", name, triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" }) as const;
const pipeline = { project: "web", name: "Deploy", triggerMode: "MANUAL", refName: "main" } as const;

describe("a pipeline with its actions", () => {
  it("has each action, and their order", async () => {
    const mocks = sdk.workspaceMocks();
    const deploy = await mocks.run(
      () =>
        new sdk.PipelineDefinition("deploy", {
          ...pipeline,
          actions: [ping("One"), { ...ping("Two"), key: "second" }],
        }),
    );
    expect([...deploy.actions.keys()]).toEqual(["One", "second"]);
    const [one, two] = [mocks.find("deploy/One"), mocks.find("deploy/second")];
    const numbers = [one, two].map(({ id }) => Number(id.split("/").at(-1)));
    expect(two.inputs).toMatchObject({ name: "Two", project: "web" });
    expect(mocks.find("deploy/actionOrder").inputs).toMatchObject({ actions: numbers });
  });

  it("needs a key for each of two actions of one name", async () => {
    const twice = () =>
      new sdk.PipelineDefinition("deploy", { ...pipeline, actions: [ping("One"), ping("One")] });
    await expect(sdk.workspaceMocks().run(twice)).rejects.toThrow('two actions are named "One": set "key"');
  });
});
