/** Tests the arguments that a program does not declare: they are outputs, which a preview knows to be empty. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";
import { Group, PingAction, Project, Variable } from "../../sdk/nodejs/index.js";
import { removeMocks } from "./remove-mocks.js";

removeMocks();

beforeAll(async () => {
  const created = ({ inputs }: pulumi.runtime.MockResourceArgs) => ({
    id: "acme/web",
    state: inputs as Record<string, unknown>,
  });
  await pulumi.runtime.setMocks({ newResource: created, call: () => ({}) }, "program", "dev", true);
});

/** The value of an output that a preview knows. */
async function known<T>(output: pulumi.Output<T>): Promise<{ readonly known: boolean; readonly value: T }> {
  const inner = output as unknown as { readonly isKnown: Promise<boolean>; promise(): Promise<T> };
  return { known: await inner.isKnown, value: await inner.promise() };
}
const empty = { known: true, value: undefined };

it("an argument that is not declared is an empty output", async () => {
  const project = new Project("web", { name: "web" });
  expect(await known(project.displayName)).toEqual(empty);
  expect(await known(project.name)).toEqual({ known: true, value: "web" });
  expect(await known(project.memberIds)).toEqual(empty);
  const action = new PingAction("ping", {
    ...{ pipeline: 7, project: "web", name: "Ping", triggerTime: "ON_FAILURE", destination: "host" },
  });
  expect(await known(action.runOnlyOnFirstFailure)).toEqual(empty);
});

it("an argument that turns out to be empty is an empty output", async () => {
  const nothing = pulumi.output<string | undefined>(undefined);
  const group = new Group("group", { name: "QA", description: nothing });
  expect(await known(group.description)).toEqual(empty);
});

it("the numbers of references that are not declared are empty outputs", async () => {
  const variable = new Variable("region", { key: "REGION", value: "us" });
  expect(await known(variable.pipelineId)).toEqual(empty);
});
