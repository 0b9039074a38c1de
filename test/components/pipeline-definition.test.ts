/** Tests what the component `PipelineDefinition` declares. */
import { describe, expect, it } from "vitest";
import { pipelineDefinition } from "../../components/pipeline-definition.js";
import { asSecret, UNKNOWN } from "../../diff/values.js";
import { Ref } from "../../workspace-file/load/load.js";

async function declare(actions: unknown, more: Record<string, unknown> = {}) {
  const declared = await pipelineDefinition.declare({
    name: "deploy",
    inputs: { project: "web", name: "Deploy", triggerMode: "MANUAL", refName: "main", actions, ...more },
    stack: "dev",
    config: () => undefined,
    connection: () => Promise.resolve(undefined),
  });
  return declared?.map(({ definition: { type }, name, args, after }) => ({ type, name, args, after })) ?? [];
}
const ping = (name: unknown) => ({ name, type: "PING", destination: "example.com" });

describe("a pipeline with the list of its actions", () => {
  it("declares each action after the one before it, and their order", async () => {
    const declared = await declare([ping("One"), { ...ping("Two"), key: "second" }]);
    expect(declared.map(({ type, name, after }) => [type, name, after])).toEqual([
      ["Pipeline", "deploy", undefined],
      ["Action", "deploy/One", undefined],
      ["Action", "deploy/second", "deploy/One"],
      ["ActionOrder", "deploy/actionOrder", undefined],
    ]);
    expect(declared[2]?.args).toEqual({ ...ping("Two"), pipeline: new Ref("deploy") });
    expect((await declare([ping("One")])).map(({ type }) => type)).toEqual(["Pipeline", "Action"]);
  });

  it("names an action by its place while a preview does not know its name, and declares none of an unknown list", async () => {
    expect((await declare([ping(UNKNOWN)])).map(({ name }) => name)).toEqual(["deploy", "deploy/1"]);
    expect((await declare(UNKNOWN)).map(({ name }) => name)).toEqual(["deploy"]);
  });

  it("keeps a secret list secret", async () => {
    for (const actions of [asSecret([ping("One")]), [asSecret(ping("One"))]])
      expect((await declare(actions))[1]).toMatchObject({
        name: "deploy/One",
        args: { name: "One", destination: asSecret("example.com") },
      });
  });

  it("refuses what it cannot name", async () => {
    await expect(declare([ping("One"), ping("One")])).rejects.toThrow(
      'two actions are named "One": set "key"',
    );
    await expect(declare([ping(undefined)])).rejects.toThrow("actions[0].name: is required");
    await expect(declare(["One"])).rejects.toThrow("actions[0] is no action");
    await expect(declare({})).rejects.toThrow("actions is a list of actions");
    await expect(declare([], { refNames: "x" })).rejects.toThrow(
      'unknown input "refNames". Did you mean "refName"?',
    );
  });
});
