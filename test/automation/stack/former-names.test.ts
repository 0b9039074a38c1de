/** Tests automation/stack/former-names.ts. */
import { describe, expect, it } from "vitest";
import { listFormerNames } from "../../../automation/stack/former-names.js";
import type { StateEntry } from "../../../automation/stack/state.js";

const urn = (type: string, name: string) =>
  `urn:pulumi:dev::p::pulumi-nodejs:dynamic/workspace-automation:${type}::${name}`;

function entry(type: string, name: string, outputs: object, from: Record<string, string> = {}): StateEntry {
  const propertyDependencies = Object.fromEntries(Object.entries(from).map(([arg, on]) => [arg, [on]]));
  return {
    urn: urn(type, name),
    type: `pulumi-nodejs:dynamic/workspace-automation:${type}`,
    outputs: { ...outputs },
    propertyDependencies,
  };
}

const project = (name: string, present = name) => entry("Project", `projects/${name}`, { name: present });
const pipeline = (inProject: string, present: string) =>
  entry(
    "Pipeline",
    `projects/${inProject}/pipelines/deploy`,
    { project: present },
    {
      project: urn("Project", `projects/${inProject}`),
    },
  );
const action = (inProject: string, present: string, from: "project" | "pipeline") =>
  entry(
    "Action",
    `projects/${inProject}/pipelines/deploy/actions/Build`,
    { project: present },
    {
      [from]: urn("Pipeline", `projects/${inProject}/pipelines/deploy`),
    },
  );

describe("former names in a state", () => {
  it("are those that differ from the name of the parent", () => {
    const resources = [project("web", "shop"), pipeline("web", "web")];
    expect(listFormerNames({ resources })).toEqual([{ from: "web", to: "shop" }]);
    expect(listFormerNames({ resources: [project("web"), pipeline("web", "web")] })).toEqual([]);
    expect(listFormerNames({})).toEqual([]);
  });

  it.each(["project", "pipeline"] as const)("are found through the pipeline (%s)", (from) => {
    const resources = [project("web", "shop"), pipeline("web", "shop"), action("web", "web", from)];
    expect(listFormerNames({ resources })).toEqual([{ from: "web", to: "shop" }]);
  });

  it("may be several of one project, but none that another project has now", () => {
    const resources = [project("web", "store"), pipeline("web", "shop"), action("web", "web", "pipeline")];
    expect(listFormerNames({ resources })).toEqual([
      { from: "shop", to: "store" },
      { from: "web", to: "store" },
    ]);
    const other = [project("api", "web"), pipeline("api", "web")];
    expect(listFormerNames({ resources: [...resources, ...other] })).toEqual([{ from: "shop", to: "store" }]);
  });

  it("are unknown where nothing in the state manages the parent", () => {
    expect(listFormerNames({ resources: [pipeline("web", "web")] })).toEqual([]);
  });
});
