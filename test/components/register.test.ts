/** Tests how the resource declarations of a workspace file are registered with the engine. */
import { describe, expect, it } from "vitest";
import type { SelectedObjects } from "../../automation/plan/selected-objects.js";
import type { Monitor, Registered, Registration } from "../../components/monitor.js";
import { registerAll } from "../../components/register.js";
import { asSecret, isSecret, UNKNOWN } from "../../diff/values.js";
import { readDeclarations } from "../../workspace-file/load/load.js";

const ROOT = "urn:pulumi:dev::app::pulumi:pulumi:Stack::app-dev";
const urnOf = (name: string) => `urn:${name}`;

/** Registers a file with a fake engine, and returns the registrations by name. */
async function register(
  text: string,
  answer: (registration: Registration) => Partial<Registered> | Error = () => ({}),
  env: Record<string, string> = {},
  selection?: SelectedObjects,
) {
  const told = new Map<string, Registration>();
  const monitor = {
    async register(registration: Registration): Promise<Registered> {
      told.set(registration.name, registration);
      await Promise.resolve();
      const answered = answer(registration);
      if (answered instanceof Error) throw answered;
      return { urn: urnOf(registration.name), outputs: {}, isPartial: false, ...answered };
    },
  } as unknown as Monitor;
  const { declarations } = readDeclarations("-", {
    env,
    stdin: () => `version: 1\nworkspace: acme\n${text}`,
  });
  const isComplete = await registerAll(declarations, monitor, ROOT, {
    engine: "dynamic",
    parallel: 4,
    selection,
  });
  return { told, isComplete, order: [...told.keys()] };
}

const TEAM = `
members: { ann@example.com: {} }
groups: { QA: { members: [ann@example.com] } }
`;
const MEMBERSHIP = "groups/QA/members/ann@example.com";

describe("a resource declaration", () => {
  it("is registered with its inputs, with the stack as parent", async () => {
    const { told } = await register(`groups: { QA: { description: Testers } }`);
    expect(told.get("groups/QA")).toMatchObject({
      type: "pulumi-nodejs:dynamic/workspace-automation:Group",
      parent: ROOT,
      inputs: { name: "QA", description: "Testers", workspace: "acme" },
      dependencies: [],
      formerNames: [],
      retain: false,
    });
    expect(told.get("groups/QA")?.inputs["__provider"]).toContain('.get("Group")');
  });

  it("waits for the objects that it refers to, and uses the numbers in their ids", async () => {
    const { told, order } = await register(TEAM, ({ name }) => ({
      id: name === "groups/QA" ? "acme/7" : "acme/3",
    }));
    expect(order.indexOf(MEMBERSHIP)).toBe(2);
    expect(told.get(MEMBERSHIP)).toMatchObject({ inputs: { group: 7, member: 3 } });
    const { dependencies = [], inputDependencies } = told.get(MEMBERSHIP) ?? {};
    expect(dependencies.toSorted()).toEqual([urnOf("groups/QA"), urnOf("members/ann@example.com")]);
    expect(inputDependencies?.get("group")).toEqual([urnOf("groups/QA")]);
    expect(inputDependencies?.get("workspace")).toEqual([]);
  });

  it("has unknown inputs if it refers to objects without an id, as in a preview or after a failure", async () => {
    const { told } = await register(TEAM, () => ({ isPartial: true }));
    expect(told.get(MEMBERSHIP)).toMatchObject({ inputs: { group: UNKNOWN, member: UNKNOWN } });
  });

  it("is skipped if the registration of an object that it refers to fails, unlike all others", async () => {
    const { told, isComplete } = await register(`${TEAM}permissionSets: {}`, ({ name }) =>
      name === "members/ann@example.com"
        ? Object.assign(new Error("refused"), { code: 2 })
        : { id: "acme/7" },
    );
    expect(isComplete).toBe(false);
    expect([...told.keys()].toSorted()).toEqual(["groups/QA", "members/ann@example.com"]);
  });

  it("fails the run on an error other than a rejection by the engine", async () => {
    await expect(register(TEAM, () => new Error("not foreseen"))).rejects.toThrow("not foreseen");
  });

  it("is protected by its type or its entry, and is released if its entry says so", async () => {
    const { told } = await register(
      "projects:\n  web: {}\n  api: { protect: false }\ngroups: { QA: { retain: true, previously: [Testers] } }",
      () => ({ id: "acme/web", outputs: { name: "web" } }),
    );
    expect(told.get("projects/web")?.protect).toBe(true);
    expect(told.get("projects/api")?.protect).toBe(false);
    expect(told.get("groups/QA")).toMatchObject({ retain: true, formerNames: ["groups/Testers"] });
    expect(told.get("groups/QA")?.protect).toBeUndefined();
  });
});

describe("an argument that refers to an object with a secret", () => {
  it("is not secret, because it contains only the number of the object", async () => {
    const file = `projects:
  api:
    pipelines:
      Release:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - name: Restart
            type: SSH_COMMAND
            triggerTime: ON_EVERY_EXECUTION
            host: api.example.com
            port: 22
            login: deploy
            authenticationMode: PASS
            password: \${secret:env:PASSWORD}
            commands: [restart]
          - { name: Check, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: api.example.com }
`;
    const { told } = await register(
      file,
      ({ name }) => ({
        id: name.endsWith("Restart") ? "acme/29/40" : "acme/29/43",
        outputs: { name: "api" },
      }),
      { WORKSPACE_VAR_PASSWORD: "correct-horse-battery" },
    );
    const release = "projects/api/pipelines/Release";
    expect(isSecret(told.get(`${release}/actions/Restart`)?.inputs["password"])).toBe(true);
    expect(told.get(`${release}/actionOrder`)?.inputs["actions"]).toEqual([40, 43]);
  });
});

describe("a limited run", () => {
  it("registers every other object of the state as it is there, and none that does not exist", async () => {
    const token = "pulumi-nodejs:dynamic/workspace-automation:Group";
    const outside = (name: string, former: string, needs: readonly string[] = []) => {
      const urn = `urn:pulumi:dev::app::${token}::${former}`;
      const known = { name, nameInState: former, urn, type: "Group", token, needs };
      return { ...known, before: {}, inputs: {}, isProtected: false };
    };
    const selection: SelectedObjects = {
      patterns: ["groups/New"],
      names: new Set(["groups/New"]),
      needed: [],
      following: [],
      others: 3,
      targets: [],
      // One was renamed in the file, and one is no longer declared and depends on the selected one.
      outside: [
        outside("groups/Testers", "groups/QA"),
        outside("groups/Gone", "groups/Gone", ["groups/New"]),
      ],
    };
    const text = "groups: { Testers: { previously: [QA], description: Other }, Missing: {}, New: {} }";
    const { told, order } = await register(text, () => ({}), {}, selection);
    expect(order.toSorted()).toEqual(["groups/Gone", "groups/New", "groups/QA"]);
    expect(order.indexOf("groups/Gone")).toBeGreaterThan(order.indexOf("groups/New"));
    expect(told.get("groups/QA")).toMatchObject({ type: token, inputs: {}, formerNames: [] });
    expect(told.get("groups/New")?.inputs).toMatchObject({ name: "New" });
  });
});

describe("an input value", () => {
  const variables = (value: string) => `projects: { web: {} }\nvariables: { A: { value: "${value}" } }`;
  const PROJECT = { id: "acme/web", outputs: { httpRepository: "https://x/web" } };

  it("is filled with outputs of other objects, and depends on them", async () => {
    const { told } = await register(variables("git: ${ref:projects/web.httpRepository}"), () => PROJECT);
    expect(told.get("variables/A")?.inputs["value"]).toBe("git: https://x/web");
    expect(told.get("variables/A")?.inputDependencies.get("value")).toEqual([urnOf("projects/web")]);
  });

  it("is unknown if a part of it is unknown", async () => {
    const { told } = await register(variables("git: ${ref:projects/web.httpRepository}"), () => ({
      isPartial: true,
    }));
    expect(told.get("variables/A")?.inputs["value"]).toBe(UNKNOWN);
  });

  it("is never sent without an output that the service does not return", async () => {
    const registering = register(variables("git: ${ref:projects/web.httpRepository}"), () => ({
      outputs: { projectName: "web", httpRepository: null },
    }));
    await expect(registering).rejects.toThrow(
      '<stdin>:4:32: ${ref:projects/web.httpRepository}: the project projects/web has no output "httpRepository": it has projectName, name, workspace',
    );
  });

  it("is secret if a part of it is secret", async () => {
    const { told } = await register(variables("git: ${ref:projects/web.httpRepository}"), () => ({
      outputs: { httpRepository: asSecret("https://x/web") },
    }));
    expect(told.get("variables/A")?.inputs["value"]).toEqual(asSecret("git: https://x/web"));
  });

  it("is not secret if it is the name of an object with a secret", async () => {
    const file =
      'projects: { web: { displayName: "${secret:env:KEY}", pipelines: { run: { triggerMode: MANUAL, refName: main, refType: BRANCH } } } }';
    const answer = () => ({ id: "acme/web", outputs: { name: "web", displayName: asSecret("hush") } });
    const { told } = await register(file, answer, { WORKSPACE_VAR_KEY: "hush" });
    expect(told.get("projects/web")?.inputs["displayName"]).toSatisfy(isSecret);
    expect(told.get("projects/web/pipelines/run")?.inputs["project"]).toBe("web");
  });

  it("is marked as secret if its type requires it", async () => {
    const { told } = await register(
      'variables: { KEY: { value: "${env:KEY}", encrypted: true } }',
      () => ({}),
      { WORKSPACE_VAR_KEY: "hush" },
    );
    expect(told.get("variables/KEY")?.inputs["value"]).toEqual(asSecret("hush"));
  });
});
