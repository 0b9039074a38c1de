/** Tests `workspaceMocks`: unit tests of programs with the classes of the library, and with those of a generated SDK. */
import * as pulumi from "@pulumi/pulumi";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as sdk from "../../sdk/nodejs/index.js";
import { removeMocks } from "./remove-mocks.js";

removeMocks();

/** The value of an output. */
const valueOf = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => output.apply(resolve));

/** A class as a generated SDK of the plugin has it. */
class Generated extends pulumi.CustomResource {
  declare readonly pipelineId: pulumi.Output<number>;
  constructor(type: string, name: string, args: pulumi.Inputs) {
    super(`workspace-automation:index:${type}`, name, { pipelineId: undefined, ...args });
  }
}

afterEach(() => vi.unstubAllEnvs());

describe.each(["dynamic", "plugin"])("with the engine %s, a program in a unit test", (engine) => {
  const start = () => vi.stubEnv("WORKSPACE_AUTOMATION_ENGINE", engine);

  it("has the ids and outputs that references need", async () => {
    start();
    const mocks = sdk.workspaceMocks();
    const deploy = await mocks.run(() => {
      const web = new sdk.Project("web", { name: "web", displayName: "Web" });
      const pipeline = new sdk.Pipeline("deploy", {
        project: web,
        name: "Deploy",
        triggerMode: "MANUAL",
        refName: "main",
      });
      new sdk.PingAction("ping", {
        pipeline,
        name: "Ping",
        triggerTime: "ON_EVERY_EXECUTION",
        destination: pulumi.concat(web.projectName, ".example.com"),
      });
      return pipeline;
    });
    const pipelineId = await valueOf(deploy.pipelineId);
    expect(pipelineId).toBeGreaterThan(0);
    expect(mocks.find("ping")).toMatchObject({
      type: "Action",
      id: expect.stringMatching(/^acme\/\d+\/\d+$/) as unknown,
      inputs: { type: "PING", destination: "web.example.com", pipeline: pipelineId, project: "web" },
    });
    expect(await valueOf(deploy.htmlUrl)).toEqual(expect.any(String));
  });

  it("fails for a resource without any argument, as for one that lacks a few", async () => {
    start();
    const mocks = sdk.workspaceMocks();
    await expect(mocks.run(() => new sdk.Project("web", {}))).rejects.toThrow(
      "name: is required unless the project is integrated",
    );
  });

  it("has the option import with the plugin, and an error that names other ways without it", async () => {
    start();
    const mocks = sdk.workspaceMocks();
    const ended = mocks.run(() => {
      new sdk.Group("qa", { name: "QA", description: "Testers" }, { import: "acme/14" });
    });
    if (engine === "plugin") await ended;
    else await expect(ended).rejects.toThrow('Group "qa": the option import needs the plugin');
  });

  it("fails with all of its mistakes, in our own words", async () => {
    start();
    const wrong = () => {
      const web = new sdk.Project("web", { name: "web", displayName: "Web" });
      new sdk.Pipeline("deploy", {
        project: web,
        name: "Deploy",
        triggerMode: "SOMETIMES" as "MANUAL",
        refName: "main",
      });
      new sdk.Group("QA", { name: "QA", descriptions: "Testers" } as sdk.GroupArgs);
    };
    const error = await sdk
      .workspaceMocks()
      .run(wrong)
      .catch((reason: unknown) => reason as Error);
    expect((error as Error).message).toMatch(/^Pipeline "deploy": triggerMode: must be/m);
    expect((error as Error).message).toMatch(/^Group "QA": descriptions: .*Did you mean "description"\?/m);
  });

  it("keeps secrets secret", async () => {
    start();
    const variable = await sdk
      .workspaceMocks()
      .run(() => new sdk.Variable("key", { key: "KEY", value: "s3cret", encrypted: true }));
    expect(await pulumi.isSecret(variable.value)).toBe(true);
    expect(await valueOf(variable.value)).toBe("s3cret");
  });

  it("reads objects by any id", async () => {
    start();
    const outputs = ({ name }: { name: string }) => (name === "other" ? { refName: "main" } : undefined);
    const [web, other] = await sdk
      .workspaceMocks({ outputs })
      .run(
        () =>
          [
            sdk.Project.get("web", "acme/web"),
            sdk.Pipeline.get("other", "any-id", { pipelineId: 7 }),
          ] as const,
      );
    expect(await valueOf(web.projectName)).toBe("web");
    expect([await valueOf(other.id), await valueOf(other.pipelineId)]).toEqual(["any-id", 7]);
    expect(await valueOf(other.refName)).toBe("main");
  });

  it("calls functions, in both forms, and is told which result is missing", async () => {
    start();
    const mocks = sdk.workspaceMocks({
      functions: {
        listProjects: [{ name: "web" }],
        getPipeline: ({ pipeline }) => ({ name: `pipeline ${String(pipeline)}` }),
      },
    });
    const [projects, pipeline] = await mocks.run(
      async () =>
        [
          await sdk.listProjects(),
          sdk.getPipelineOutput({ project: "web", pipeline: pulumi.output(7) }),
        ] as const,
    );
    expect(projects.map(({ name }) => name)).toEqual(["web"]);
    expect(await valueOf(pipeline.apply(({ name }) => name))).toBe("pipeline 7");
    await expect(mocks.run(() => sdk.getProject("web"))).rejects.toThrow(
      "pass workspaceMocks({ functions: { getProject: ... } })",
    );
    await expect(mocks.run(() => sdk.listMembers({ sortBy: "age" as "name" }))).rejects.toThrow(
      "listMembers: sortBy: must be",
    );
  });

  it("takes in a preview the unknown outputs of other resources", async () => {
    start();
    const mocks = sdk.workspaceMocks({ preview: true });
    await mocks.run(() => {
      const qa = new sdk.Group("qa", { name: "QA" });
      const web = new sdk.Project("web", { name: "web", displayName: "Web" });
      new sdk.Variable("group", { key: "GROUP", value: qa.groupId.apply((id) => `group ${id}`) });
      new sdk.Variable("repository", { key: "REPOSITORY", value: web.htmlUrl.apply(String) });
      new sdk.Group("ops", { name: "Ops", description: qa.groupId.apply(String) });
    });
    expect(mocks.resources).toHaveLength(5);
  });

  it("knows in a preview what a preview of the service knows", async () => {
    start();
    const web = await sdk
      .workspaceMocks({ preview: true })
      .run(() => new sdk.Project("web", { name: "web", displayName: "Web" }));
    const known = (output: pulumi.Output<unknown>) =>
      (output as unknown as { isKnown: Promise<boolean> }).isKnown;
    expect([await known(web.projectName), await known(web.id), await known(web.htmlUrl)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it("checks the classes of generated SDKs", async () => {
  const mocks = sdk.workspaceMocks();
  await mocks.run(() => {
    const web = new Generated("Project", "web", { name: "web", displayName: "Web" });
    const deploy = new Generated("Pipeline", "deploy", {
      project: web.id,
      name: "Deploy",
      triggerMode: "MANUAL",
      refName: "main",
    });
    new Generated("PingAction", "ping", {
      pipeline: deploy.id,
      name: "Ping",
      triggerTime: "ON_EVERY_EXECUTION",
      destination: "host",
    });
  });
  expect(mocks.find("ping").inputs).toMatchObject({ type: "PING", project: "web" });
  const wrong = () => new Generated("PingAction", "ping", { pipeline: 7, project: "web", name: "Ping" });
  await expect(mocks.run(wrong)).rejects.toThrow('Action "ping": triggerTime: is required');
});

it("leaves other packages to their own mocks", async () => {
  const others = {
    newResource: ({ name }: pulumi.runtime.MockResourceArgs) => ({ id: `their ${name}`, state: {} }),
    call: () => ({ region: "us" }),
  };
  const [resource, called] = await sdk
    .workspaceMocks({ others })
    .run(
      async () =>
        [
          new (class extends pulumi.CustomResource {})("other:index:Thing", "thing", {}),
          (await pulumi.runtime.invoke("other:index:getRegion", {})) as object,
        ] as const,
    );
  expect([await valueOf(resource.id), called]).toEqual(["their thing", { region: "us" }]);
});

it("shows mocks of one's own every function, with its provider and version", async () => {
  const asked: unknown[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ name }) => ({ id: `${name}-id`, state: {} }),
    call: (call) => (asked.push(call), { name: "web" }),
  });
  const provider = new sdk.Provider("eu", { baseUrl: "https://eu.host/api" });
  expect(await sdk.getProject("web", { provider })).toEqual({ name: "web" });
  expect(asked).toMatchObject([
    {
      token: "workspace-automation:index:getProject",
      inputs: { project: "web" },
      provider: expect.stringContaining("eu") as unknown,
    },
  ]);
});
