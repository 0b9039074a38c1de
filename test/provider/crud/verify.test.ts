/** Tests that every write is compared with its response, against a service that ignores parts of requests. */
import { describe, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { create } from "../../../provider/crud/create.js";
import { diffResource } from "../../../provider/crud/diff.js";
import { read } from "../../../provider/crud/read.js";
import { update } from "../../../provider/crud/update.js";
import { type Fields, getDefinition } from "../../../provider/index.js";
import { Context } from "../../../resources/definition/context.js";
import { PartialCreation, PartialUpdate } from "../../../resources/errors.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();

/** Creates a context for the emulator whose responses are changed before they arrive. */
function answering(change: (method: string, body: Record<string, unknown>) => object): Context {
  const { baseUrl, token, workspace } = fresh.emulator;
  const tampered: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const { status, headers } = response;
    const text = await response.text();
    if (text === "") return new Response(null, { status, headers });
    const body = change(init?.method ?? "GET", JSON.parse(text) as Record<string, unknown>);
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  };
  const api = new WorkspaceAutomationClient({ baseUrl, token, fetch: tampered });
  return new Context(api, workspace, baseUrl);
}

const honest = () => answering((_method, body) => body);
const group = getDefinition("Group");
const variable = getDefinition("Variable");

async function failureOf<T extends PartialCreation>(work: Promise<unknown>): Promise<T> {
  return work.then(
    () => expect.unreachable("the write was taken for good"),
    (error: unknown) => error as T,
  );
}

describe("a creation with a deviating response", () => {
  it("fails with the reason, and the state has the actual values", async () => {
    const other = answering((method, body) =>
      method === "POST" ? { ...body, description: "Set by the service" } : body,
    );
    const error = await failureOf(create(group, other, { name: "QA", description: "Testers" }));
    expect(error).toBeInstanceOf(PartialCreation);
    expect(error.message).toContain(
      'group "QA": the service accepted the request, but its response shows another value for "description" ' +
        '(requested "Testers", got "Set by the service")',
    );
    expect(error.properties["description"]).toBe("Set by the service");
    // The next run shows the difference.
    const args = { name: "QA", description: "Testers" };
    expect(diffResource(group, error.properties, args).changed).toEqual(["description"]);
  });

  it("shows how texts that look alike differ", async () => {
    const other = answering((method, body) =>
      method === "POST" ? { ...body, description: "Cafe\u0301" } : body,
    );
    const error = await failureOf(create(group, other, { name: "QA", description: "Caf\u00e9" }));
    expect(error.message).toContain('(requested "Caf\u00e9", got "Cafe\\u0301")');
  });

  it("names only what the object has", async () => {
    const other = answering((method, body) => (method === "POST" ? { ...body, description: "Other" } : body));
    const error = await failureOf(create(variable, other, { key: "A", value: "1", description: "Mine" }));
    expect(error.message).toMatch(/^variable "A": the service/);
  });

  it("fails without printing a secret", async () => {
    const other = answering((method, body) =>
      method === "POST" ? { ...body, value: "hunter3", encrypted: false } : body,
    );
    const args = { key: "API_KEY", value: "hunter2", encrypted: true };
    const error = await failureOf(create(variable, other, args));
    expect(error.message).toContain('for "value", "encrypted" (requested true, got false)');
    expect(error.message).not.toMatch(/hunter/);
  });

  it("succeeds when the response omits a field or writes it differently", async () => {
    const less = answering((method, body) =>
      method === "POST" ? { id: body["id"], url: body["url"] } : body,
    );
    const { outs } = await create(group, less, { name: "QA", description: "Testers" });
    expect(outs["description"]).toBe("Testers");
    const blank = answering((method, body) => (method === "POST" ? { ...body, description: null } : body));
    await expect(create(group, blank, { name: "QB", description: "" })).resolves.toBeDefined();
  });
});

describe("an update with a deviating response", () => {
  const args: Fields = { key: "REGION", value: "us-east" };
  const stubborn = () =>
    answering((method, body) =>
      method === "PATCH" ? { ...body, encrypted: true, value: "secure!abc" } : body,
    );

  it("fails with the reason in every run until the service applies the change", async () => {
    const made = await create(variable, honest(), args);
    const id = Number(made.outs["variableId"]);
    await fresh.api.variables.update("acme", id, { key: "REGION", value: "us-east", encrypted: true });
    let state = (await read(variable, honest(), made.outs))?.outs ?? {};
    for (let run = 0; run < 2; run++) {
      const error = await failureOf<PartialUpdate>(update(variable, stubborn(), state, args));
      expect(error).toBeInstanceOf(PartialUpdate);
      expect(error.message).toContain('"encrypted" (requested its default, got true)');
      state = error.properties;
      // Nobody can tell whether the value that is masked now is the declared one.
      expect(diffResource(variable, state, args).changed).toEqual(["value", "encrypted"]);
    }
    const { outs } = await update(variable, honest(), state, args);
    expect(diffResource(variable, outs, args).changed).toEqual([]);
  });

  it("succeeds when only an unrelated field differs, and the next run shows that field", async () => {
    const made = await create(group, honest(), { name: "QA", description: "Testers" });
    await fresh.api.groups.update("acme", Number(made.outs["groupId"]), { description: "By hand" });
    const news = { name: "Quality", description: "Testers" };
    const { outs } = await update(group, honest(), made.outs, news);
    expect(diffResource(group, outs, news).changed).toEqual(["description"]);
  });
});

describe("a move that the service ignores", () => {
  it("is detected in the list, since the response does not contain the order", async () => {
    await create(getDefinition("Project"), honest(), { name: "web" });
    const place = { project: "web", name: "p", triggerMode: "MANUAL", refName: "main" };
    const pipeline = Number((await create(getDefinition("Pipeline"), honest(), place)).outs["pipelineId"]);
    const step = {
      project: "web",
      pipeline,
      type: "PING",
      triggerTime: "ON_EVERY_EXECUTION",
      destination: "h",
    };
    const ids: unknown[] = [];
    for (const name of ["one", "two"])
      ids.push((await create(getDefinition("Action"), honest(), { ...step, name })).outs["actionId"]);
    // The response looks like that of a successful move.
    const deaf: typeof fetch = (input, init) => {
      if (init?.method !== "PATCH") return fetch(input, init);
      const { body: _ignored, ...rest } = init;
      return fetch(input, { ...rest, method: "GET" });
    };
    const { baseUrl, token, workspace } = fresh.emulator;
    const api = new WorkspaceAutomationClient({ baseUrl, token, fetch: deaf });
    const args = { project: "web", pipeline, actions: ids.toReversed() };
    const error = await failureOf(
      create(getDefinition("ActionOrder"), new Context(api, workspace, baseUrl), args),
    );
    expect(error.message).toContain('its response shows another value for "actions"');
    expect(error.properties["actions"]).toEqual(ids);
  });
});

describe("a service that fills in defaults in nested values", () => {
  const completing = () =>
    answering((_method, body) => {
      const services = (body["services"] ?? undefined) as object[] | undefined;
      return services ? { ...body, services: services.map((one) => ({ port: 5432, ...one })) } : body;
    });

  it("causes no change, while an outside addition is still shown", async () => {
    const action = getDefinition("Action");
    await create(getDefinition("Project"), honest(), { name: "web" });
    const place = { project: "web", name: "p", triggerMode: "MANUAL", refName: "main" };
    const pipeline = Number((await create(getDefinition("Pipeline"), honest(), place)).outs["pipelineId"]);
    const args = {
      project: "web",
      pipeline,
      name: "Build",
      type: "BUILD",
      triggerTime: "ON_EVERY_EXECUTION",
      containerImageName: "node",
      containerImageTag: "22",
      executeCommands: ["npm test"],
      services: [{ type: "POSTGRES" }],
    };
    const { outs } = await create(action, completing(), args);
    const single = {
      ...action,
      sources: (...given: Parameters<typeof action.sources>) => action.sources(...given).slice(2),
    };
    const seen = await read(single, completing(), outs);
    expect(seen?.outs).toEqual(outs);
    expect(diffResource(action, outs, args).changed).toEqual([]);
    await fresh.api.actions.update("acme", "web", pipeline, Number(outs["actionId"]), {
      services: [{ type: "POSTGRES", version: "9" }],
    });
    const edited = await read(single, completing(), outs);
    expect(edited?.outs["services"]).toEqual([{ type: "POSTGRES", version: "9" }]);
  });
});
