/** Tests that nothing but the present file opens a reference to a secret, whatever a state contains; for both engines. */
import { readFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { withoutMarks } from "../../../diff/values.js";
import { startEmulator, type Emulator } from "../../../emulator/index.js";
import { serve } from "../../../provider/adapters/grpc.js";
import { attachedPlugin } from "../../../provider/adapters/plugin/attached.js";
import { providerService } from "../../../provider/adapters/service.js";
import { argsSchema } from "../../../provider/definition/definition.js";
import {
  definitionOf,
  definitions,
  MASK,
  PROVIDER_KEY,
  providerText,
  referringInputs,
  referringText,
  SECRET_REFERENCES,
  type DeclaredReferences,
} from "../../../provider/index.js";
import type { SecretOrigin } from "../../../trust/references.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";
import { PluginClient } from "../plugin-client.js";

type Props = Record<string, unknown>;

const folder = temporaryFolder();
const keyFile = fileIn(folder, "key.txt", "planted-file");
const planted: Record<string, string> = {
  PULUMI_CONFIG_PASSPHRASE: "planted-passphrase",
  AWS_SECRET_ACCESS_KEY: "planted-aws",
  TOKEN: "planted-token",
  WORKSPACE_VAR_TOKEN: "planted-token",
};
const hostile: readonly [SecretOrigin, string][] = [
  ["env", "PULUMI_CONFIG_PASSPHRASE"],
  ["env", "AWS_SECRET_ACCESS_KEY"],
  ["env", "TOKEN"],
  ["file", keyFile],
  ["file", "/proc/self/environ"],
  ["config", "key"],
];
const engines = ["dynamic", "plugin"] as const;
type EngineName = (typeof engines)[number];

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

interface Called {
  readonly client: PluginClient;
  readonly lines: string[];
}

/** Serves the provider of an engine as `workspacectl` does. */
async function serveProvider(
  engine: EngineName,
  baseUrl: string,
  token: string,
  references: DeclaredReferences,
  env: Record<string, string> = planted,
): Promise<Called> {
  const lines: string[] = [];
  const world = {
    env: {
      ...env,
      WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: token,
      WORKSPACE_AUTOMATION_DOMAIN: "acme",
      WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
    },
    print: (line: string) => lines.push(line),
    config: () => "planted-configuration",
    references,
  };
  const provider = engine === "dynamic" ? providerService(world) : attachedPlugin(world, () => "{}");
  const server = await serve([provider.service]);
  const client = new providerGrpc.ResourceProviderClient(
    `127.0.0.1:${server.port}`,
    grpc.credentials.createInsecure(),
  );
  closing.push(() => {
    client.close();
    server.close();
    provider.close(true);
  });
  return { client: new PluginClient(client, () => undefined), lines };
}

const textOf = (engine: EngineName, type: string): Props =>
  engine === "dynamic" ? { [PROVIDER_KEY]: providerText(type) } : {};
const noReferences: DeclaredReferences = { has: () => false, file: (path) => readFileSync(path, "utf8") };

/** Returns a state in which these arguments are references. */
function hostileState(
  args: Props,
  names: readonly string[],
  form: "structure" | "template",
  index: number,
): Props {
  const entries = names.map((name, position) => {
    const [origin, from] = hostile[(position + index) % hostile.length] ?? ["env", "TOKEN"];
    const template = `\${secret:${origin}:${from}}`;
    return [name, { template, parts: referringText([{ origin, name: from }], []) }] as const;
  });
  if (form === "template")
    return {
      ...args,
      ...Object.fromEntries(entries.map(([name, { template }]) => [name, template])),
      [SECRET_REFERENCES]: names,
    };
  return {
    ...args,
    ...referringInputs(Object.fromEntries(entries.map(([name, { parts }]) => [name, parts]))),
  };
}

describe.each(engines)("a hostile state, by the %s provider,", (engine) => {
  let attacker: HttpServer;
  let received: string[];

  beforeAll(async () => {
    received = [];
    attacker = createServer((request, response) => {
      let body = "";
      request.on("data", (text: Buffer) => (body += text.toString()));
      request.on("end", () => {
        received.push(decodeURIComponent(request.url ?? ""), body);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ id: 1, name: "web", members: [], groups: [] }));
      });
    });
    await new Promise<void>((resolve) => attacker.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => attacker.close());

  const cases = definitions.flatMap((definition) => {
    const kinds = Object.entries(definition.variants?.of ?? { "": undefined });
    return kinds.map(([kind, variant]) => ({
      title: `${definition.type} ${kind}`.trim(),
      definition,
      args: { ...definition.examples.create, ...variant?.examples.create } as Props,
    }));
  });

  // Both providers share the code behind the gate.
  const tried = cases.filter((_case, index) => engine === "dynamic" || index % 6 === 0);

  it.each(tried)("of $title opens nothing", async ({ definition, args }) => {
    const { port } = attacker.address() as AddressInfo;
    const { client, lines } = await serveProvider(engine, `http://127.0.0.1:${port}`, "token", noReferences);
    const { type } = definition;
    const responses: unknown[] = [];
    const attempt = async (call: Promise<unknown>) =>
      responses.push(await call.catch((error: Error) => `${error.message}`));
    const names = [...new Set([...Object.keys(argsSchema(definition, args).shape), ...definition.id])];
    const some = [names, ...names.map((name) => [name])];
    received.length = 0;
    for (const [index, one] of some.entries()) {
      const form = index % 2 === 0 ? "structure" : "template";
      const state = { ...hostileState(args, one, form, index), ...textOf(engine, type) };
      await attempt(client.read(type, "acme/1", state));
      // A refresh compares with the inputs of the state.
      await attempt(client.diff(type, "acme/1", state, state));
      const declared = { ...args, ...textOf(engine, type) };
      await attempt(client.check(type, state, declared));
      for (const news of [state, declared]) await attempt(client.update(type, "acme/1", state, news));
      await attempt(client.delete(type, "acme/1", state));
      await attempt(client.create(type, state));
    }
    expect(received.length).toBeGreaterThan(0);
    expect(JSON.stringify([received, responses, lines])).not.toContain("planted-");
  });
});

describe.each(engines)("a reference that the file declares, by the %s provider,", (engine) => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  const type = "Variable";
  const [one] = [referringText(["Bearer ", { origin: "env", name: "TOKEN" }], [])];
  const declared: DeclaredReferences = {
    has: (object, argument, { origin, name }) =>
      object.type === type && argument === "value" && origin === "env" && name === "TOKEN",
    file: () => undefined,
  };
  const start = (references = declared, env = planted) =>
    serveProvider(engine, emulator.baseUrl, emulator.token, references, env);
  const given = (key: string, more: Props = {}): Props => ({
    ...{ key, ...textOf(engine, type), ...referringInputs({ value: one }) },
    ...more,
  });
  const bare = (props: Props) => withoutMarks(props) as Props;

  async function created(key: string) {
    const { client } = await start();
    const { inputs, failures } = await client.check(type, {}, given(key));
    expect(failures).toEqual([]);
    return { inputs, ...(await client.create(type, inputs)) };
  }

  async function valueOf(id: string): Promise<unknown> {
    const path = `/workspaces/acme/variables/${id.split("/").at(-1)}`;
    const response = await emulator.edit({ method: "GET" as "PATCH", path });
    return (response.body as { value?: unknown }).value;
  }

  it("is sent, and the state contains only where it belongs", async () => {
    const { id, inputs, outs } = await created("A");
    expect(await valueOf(id)).toBe("Bearer planted-token");
    expect(JSON.stringify([inputs, outs])).not.toContain("planted-");
    for (const props of [inputs, outs])
      expect(bare(props)).toMatchObject({
        value: `Bearer ${MASK}`,
        [SECRET_REFERENCES]: { value: [{ at: [], offset: 7, origin: "env", name: "TOKEN" }] },
      });
  });

  it("is not opened for another object, or another argument", async () => {
    const { client } = await start();
    const group = { ...textOf(engine, "Group"), name: "G", ...referringInputs({ description: one }) };
    const { inputs } = await client.check("Group", {}, group);
    await expect(client.create("Group", inputs)).rejects.toThrow(
      "the workspace file does not refer to the environment variable TOKEN there",
    );
    const described = referringInputs({ value: one, description: one });
    const both = await client.check(type, {}, { key: "B", ...textOf(engine, type), ...described });
    await expect(client.create(type, both.inputs)).rejects.toThrow("does not refer to");
  });

  it("counts as unchanged when the file has it no more, and cannot be written", async () => {
    const { id, inputs, outs } = await created("C");
    const { client, lines } = await start(noReferences);
    const refreshed = await client.read(type, id, outs);
    expect(await client.diff(type, id, refreshed.props, inputs)).toMatchObject({ changes: false });
    expect(lines).toEqual([
      expect.stringMatching(/^variable "C": value cannot be compared, because the workspace file/),
    ]);
    await expect(client.update(type, id, outs, { ...inputs, description: "x" })).rejects.toThrow(
      "does not refer to",
    );
  });

  it("in the form of earlier releases is rewritten without a difference and without a request that writes", async () => {
    const { id, inputs, outs } = await created("D");
    const earlier = (props: Props) => ({
      ...bare(props),
      value: "Bearer ${secret:env:TOKEN}",
      [SECRET_REFERENCES]: ["value"],
    });
    const { client, lines } = await start();
    emulator.journal.clear();
    const seen = await client.read(type, id, earlier(outs));
    expect(bare(seen.props)).toMatchObject({
      value: `Bearer ${MASK}`,
      [SECRET_REFERENCES]: inputs[SECRET_REFERENCES],
    });
    for (const state of [seen.props, earlier(outs)]) {
      const next = await client.check(type, earlier(inputs), given("D"));
      expect(bare(next.inputs)).toEqual(bare(inputs));
      expect(await client.diff(type, id, state, next.inputs)).toMatchObject({ changes: false });
    }
    // A refresh compares with the inputs of the state.
    expect(await client.diff(type, id, earlier(outs), earlier(inputs))).toMatchObject({ changes: false });
    // The value has changed since.
    const { client: rotated } = await start(declared, {
      ...planted,
      TOKEN: "planted-2",
      WORKSPACE_VAR_TOKEN: "planted-2",
    });
    expect(await rotated.diff(type, id, earlier(outs), inputs)).toMatchObject({ changes: true });
    expect(lines).toEqual([]);
    expect(emulator.journal.writes()).toEqual([]);
  });

  describe("in a property whose changes are ignored", () => {
    it("stays as the state has it, when the file has another text", async () => {
      const { id, inputs, outs } = await created(`E-${engine}`);
      const { client } = await start();
      const longer = referringText(["A longer text, and ", { origin: "env", name: "TOKEN" }], []);
      // The engine takes the old argument, and the references of the file.
      const news = { ...given(`E-${engine}`, referringInputs({ value: longer })), value: inputs["value"] };
      const next = await client.check(type, inputs, news);
      expect(bare(next.inputs)).toEqual(bare(inputs));
      expect(await client.diff(type, id, outs, next.inputs)).toMatchObject({ changes: false });
    });

    it("is never sent as [secret], when the file has a plain value", async () => {
      const { id, inputs, outs } = await created(`F-${engine}`);
      const { client } = await start(noReferences);
      const news = { key: `F-${engine}`, description: "x", ...textOf(engine, type), value: inputs["value"] };
      for (const old of [
        inputs,
        { ...bare(inputs), value: "Bearer ${secret:env:TOKEN}", [SECRET_REFERENCES]: ["value"] },
      ]) {
        const next = await client.check(type, old, { ...news, value: old["value"] });
        await expect(client.update(type, id, outs, next.inputs)).rejects.toThrow("value needs a secret");
      }
      expect(await valueOf(id)).toBe("Bearer planted-token");
    });

    it("is sent as it is, when the state has a plain value", async () => {
      const { client } = await start();
      const plain = { key: `G-${engine}`, value: "plain", ...textOf(engine, type) };
      const first = await client.check(type, {}, plain);
      const { id, outs } = await client.create(type, first.inputs);
      const news = given(`G-${engine}`, { value: "plain", description: "x" });
      const next = await client.check(type, first.inputs, news);
      expect(bare(next.inputs)).not.toHaveProperty(SECRET_REFERENCES);
      await client.update(type, id, outs, next.inputs);
      expect(await valueOf(id)).toBe("plain");
    });
  });
});

describe("a program's reference", () => {
  it("is opened once the program registers it, and not before", async () => {
    const { dynamicProvider } = await import("../../../provider/adapters/dynamic.js");
    const { RegisteredReferences } = await import("../../../provider/adapters/declared-references.js");
    const { Session } = await import("../../../provider/connection/session.js");
    const emulator = await startEmulator();
    closing.push(() => void emulator.close());
    const { baseUrl, token, workspace } = emulator;
    const session = new Session({ baseUrl, token, workspace, allowInsecure: false });
    const world = { env: planted, print: () => undefined, references: new RegisteredReferences() };
    const provider = dynamicProvider(definitionOf("Group"), () => Promise.resolve(session), world);
    const value = referringText([{ origin: "env", name: "TOKEN" }], []);
    const inputs = { name: "QA", ...referringInputs({ description: value }) };
    await expect(provider.create(inputs)).rejects.toThrow("does not refer to");
    await provider.check({}, inputs);
    const { id } = await provider.create(inputs);
    expect(id).toMatch(/^acme\//);
  });
});
