/** Tests that no state opens a reference to a secret, for every type, in every argument, and in both forms; for both engines. */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  buildReferringInputs,
  createReferringText,
  definitions,
  SECRET_REFERENCES,
} from "../../../provider/index.js";
import { getArgsSchema } from "../../../resources/definition/definition.js";
import type { SecretOrigin } from "../../../trust/references.js";
import { engines, noReferences, plantedFile, serveProvider, textOf } from "../served-provider.js";

type Props = Record<string, unknown>;

const hostile: readonly [SecretOrigin, string][] = [
  ["env", "PULUMI_CONFIG_PASSPHRASE"],
  ["env", "AWS_SECRET_ACCESS_KEY"],
  ["env", "TOKEN"],
  ["file", plantedFile],
  ["file", "/proc/self/environ"],
  ["config", "key"],
];

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
    return [name, { template, parts: createReferringText([{ origin, name: from }], []) }] as const;
  });
  if (form === "template")
    return {
      ...args,
      ...Object.fromEntries(entries.map(([name, { template }]) => [name, template])),
      [SECRET_REFERENCES]: names,
    };
  return {
    ...args,
    ...buildReferringInputs(Object.fromEntries(entries.map(([name, { parts }]) => [name, parts]))),
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
      args: { ...definition.examples.create, ...variant?.examples.create },
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
    const names = [...new Set([...Object.keys(getArgsSchema(definition, args).shape), ...definition.id])];
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
