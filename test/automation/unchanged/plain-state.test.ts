/** Tests that every special thing in a state is left to Pulumi's engine. */
import { describe, expect, it } from "vitest";
import type { Deployment, StateEntry } from "../../../automation/stack/state.js";
import { readPlainState } from "../../../automation/unchanged/plain-state.js";

const root = {
  urn: "urn:pulumi:dev::web::pulumi:pulumi:Stack::web-dev",
  type: "pulumi:pulumi:Stack",
  custom: false,
};
const provider = {
  urn: "urn:pulumi:dev::web::pulumi:providers:pulumi-nodejs::default",
  ...{ type: "pulumi:providers:pulumi-nodejs", custom: true, id: "6cad1b06" },
};
const group: StateEntry = {
  urn: "urn:pulumi:dev::web::pulumi-nodejs:dynamic/workspace-automation:Group::groups/QA",
  ...{ type: "pulumi-nodejs:dynamic/workspace-automation:Group", custom: true, id: "acme/7" },
  ...{ parent: root.urn, provider: `${provider.urn}::${provider.id}`, inputs: { name: "QA" }, outputs: {} },
};

const stateOf = (...resources: StateEntry[]): Deployment => ({ resources });

describe("readPlainState", () => {
  it("takes the objects of a workspace file", () => {
    const { objects } = readPlainState(
      stateOf(root, provider, { ...group, protect: true, dependencies: [] }),
    );
    expect(objects.map(({ urn }) => urn)).toEqual([group.urn]);
  });

  it.each([
    ["an alias", { aliases: ["urn:other"] }],
    ["a failed operation", { initErrors: ["failed"] }],
    ["an object that is still to be deleted", { delete: true }],
    ["a replacement that has begun", { pendingReplacement: true }],
    ["an object that a program only reads", { external: true }],
    ["ignored changes", { ignoreChanges: ["name"] }],
    ["timeouts", { customTimeouts: { create: 60 } }],
    ["further secret outputs", { additionalSecretOutputs: ["name"] }],
    ["a field of a later version", { refreshBeforeUpdate: true }],
    ["another provider", { provider: "urn:pulumi:dev::web::pulumi:providers:pulumi-nodejs::other::1" }],
    ["another package", { type: "aws:s3/bucket:Bucket" }],
    ["the packaged plugin", { type: "workspace-automation:index:Group" }],
    ["an argument that is null", { inputs: { name: "QA", description: null } }],
    ["an object that is not created", { id: "" }],
  ])("leaves %s", (_, special) => {
    expect(() => readPlainState(stateOf(root, provider, { ...group, ...special }))).toThrow();
  });

  it.each<[string, Deployment | undefined]>([
    ["no state", undefined],
    ["an empty state", stateOf()],
    ["a configured provider", stateOf(root, { ...provider, inputs: { token: "other" } }, group)],
    ["two providers", stateOf(root, provider, { ...provider, urn: `${provider.urn}2` }, group)],
    [
      "a pending operation",
      { ...stateOf(root, provider), pending_operations: [{ type: "creating", resource: group }] },
    ],
    [
      "a note of Pulumi's",
      { ...stateOf(root, provider, group), metadata: { integrity_error: {} } } as Deployment,
    ],
  ])("leaves %s", (_, state) => {
    expect(() => readPlainState(state)).toThrow();
  });
});
