/** A state for dynamic providers becomes one for the packaged plugin, and back. */
import { describe, expect, it } from "vitest";
import { migrateState } from "../../../automation/stack/migrate-state.js";
import { buildProviderText } from "../../../provider/index.js";

const stack = "urn:pulumi:us::shop::pulumi:pulumi:Stack::shop-us";
const urn = (types: string, name: string) => `urn:pulumi:us::shop::${types}::${name}`;
const dynamic = "pulumi-nodejs:dynamic/workspace-automation:";
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
const host = urn("pulumi:providers:pulumi-nodejs", "default");
const text = (type: string) => ({ __provider: buildProviderText(type) });

const state = {
  manifest: { version: "v3.259.0" },
  resources: [
    { urn: stack, type: "pulumi:pulumi:Stack", custom: false },
    { urn: host, type: "pulumi:providers:pulumi-nodejs", custom: true, id: "uuid", inputs: {}, outputs: {} },
    {
      urn: urn(`${dynamic}Project`, "projects/a::b"),
      type: `${dynamic}Project`,
      id: "acme/web",
      custom: true,
      parent: stack,
      provider: `${host}::uuid`,
      inputs: { name: "web", ...text("Project") },
      outputs: { name: "web", projectName: "web", ...text("Project") },
      protect: true,
    },
    {
      urn: urn(`my:Team$${dynamic}Variable`, "token"),
      type: `${dynamic}Variable`,
      id: "acme/5",
      custom: true,
      provider: `${host}::uuid`,
      inputs: { key: "TOKEN", value: secret, ...text("Variable") },
      outputs: { key: "TOKEN", value: secret, ...text("Variable") },
      dependencies: [urn(`${dynamic}Project`, "projects/a::b")],
      propertyDependencies: { project: [urn(`${dynamic}Project`, "projects/a::b")], value: null },
    },
  ],
};

describe("a migrated state", () => {
  const { deployment, objects } = migrateState(state, "plugin");

  it("names the plugin in types, URNs and providers, and nothing of dynamic providers", () => {
    expect(objects).toBe(2);
    expect(JSON.stringify(deployment)).not.toMatch(/pulumi-nodejs|__provider/);
    const plugin = urn("pulumi:providers:workspace-automation", "default");
    const project = urn("workspace-automation:index:Project", "projects/a::b");
    expect(deployment.resources[1]).toMatchObject({ urn: plugin, id: "uuid" });
    expect(deployment.resources[2]).toMatchObject({
      urn: project,
      provider: `${plugin}::uuid`,
      protect: true,
    });
    expect(deployment.resources[3]).toMatchObject({
      urn: urn("my:Team$workspace-automation:index:Variable", "token"),
      inputs: { key: "TOKEN", value: secret },
      dependencies: [project],
      propertyDependencies: { project: [project], value: null },
    });
  });

  it("becomes what it was when it is migrated back", () => {
    expect(migrateState(deployment, "dynamic").deployment).toEqual(state);
  });

  it("is migrated only once", () => {
    expect(migrateState(deployment, "plugin")).toEqual({ deployment, objects: 0 });
  });
});

it("leaves the dynamic resources of others to their provider", () => {
  const other = {
    urn: urn("pulumi-nodejs:dynamic:Resource", "theirs"),
    type: "pulumi-nodejs:dynamic:Resource",
    id: "1",
    provider: `${host}::uuid`,
    inputs: { __provider: "code" },
  };
  const { deployment } = migrateState({ resources: [...state.resources, other] }, "plugin");
  expect(deployment.resources.map((resource) => resource.urn)).toEqual([
    stack,
    host,
    urn("pulumi:providers:workspace-automation", "default"),
    expect.stringContaining("Project"),
    expect.stringContaining("Variable"),
    other.urn,
  ]);
  expect(deployment.resources.at(-1)).toEqual(other);
});

it("brings the settings of an explicit provider along", () => {
  const explicit = urn("pulumi:providers:pulumi-nodejs", "us");
  const settings = {
    "workspace-automation:baseUrl": "https://host/api",
    "workspace-automation:token": secret,
  };
  const given = {
    resources: [
      {
        urn: explicit,
        type: "pulumi:providers:pulumi-nodejs",
        id: "uuid",
        inputs: settings,
        outputs: settings,
      },
      { ...state.resources[2]!, provider: `${explicit}::uuid` },
    ],
  };
  const { deployment } = migrateState(given, "plugin");
  expect(deployment.resources[0]).toMatchObject({
    urn: urn("pulumi:providers:workspace-automation", "us"),
    inputs: { baseUrl: "https://host/api", token: secret },
  });
  expect(migrateState(deployment, "dynamic").deployment).toEqual(given);
});
