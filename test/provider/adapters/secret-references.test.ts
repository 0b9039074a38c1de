/** Tests references to secrets that the present file has, from the check to the request and back into the state; for both engines. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutMarks } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import {
  buildReferringInputs,
  createReferringText,
  type DeclaredReferences,
  MASK,
  SECRET_REFERENCES,
} from "../../../provider/index.js";
import { closing, engines, noReferences, planted, serveProvider, textOf } from "../served-provider.js";

type Props = Record<string, unknown>;

describe.each(engines)("a reference that the file declares, by the %s provider,", (engine) => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  const type = "Variable";
  const [one] = [createReferringText(["Bearer ", { origin: "env", name: "TOKEN" }], [])];
  const declared: DeclaredReferences = {
    has: (object, argument, { origin, name }) =>
      object.type === type && argument === "value" && origin === "env" && name === "TOKEN",
    file: () => undefined,
  };
  const start = (references = declared, env = planted) =>
    serveProvider(engine, emulator.baseUrl, emulator.token, references, env);
  const given = (key: string, more: Props = {}): Props => ({
    ...{ key, ...textOf(engine, type), ...buildReferringInputs({ value: one }) },
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
    const response = await emulator.edit({ method: "GET", path });
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
    const group = { ...textOf(engine, "Group"), name: "G", ...buildReferringInputs({ description: one }) };
    const { inputs } = await client.check("Group", {}, group);
    await expect(client.create("Group", inputs)).rejects.toThrow(
      "the plan or the state of this stack takes it from the environment variable WORKSPACE_VAR_TOKEN, but the workspace file does not",
    );
    const described = buildReferringInputs({ value: one, description: one });
    const both = await client.check(type, {}, { key: "B", ...textOf(engine, type), ...described });
    await expect(client.create(type, both.inputs)).rejects.toThrow(
      "but the workspace file does not, so it was not read",
    );
  });

  it("counts as unchanged when the file has it no more, and cannot be written", async () => {
    const { id, inputs, outs } = await created("C");
    const { client, lines } = await start(noReferences);
    const refreshed = await client.read(type, id, outs);
    expect(await client.diff(type, id, refreshed.props, inputs)).toMatchObject({ changes: false });
    expect(lines).toEqual([
      expect.stringMatching(
        /^variable "C": value cannot be compared, because the plan or the state of this stack takes it from/,
      ),
    ]);
    await expect(client.update(type, id, outs, { ...inputs, description: "x" })).rejects.toThrow(
      "but the workspace file does not, so it was not read",
    );
  });

  it("was changed outside if the service has another value than was applied, whatever secret this run has", async () => {
    const { id, inputs, outs } = await created("I");
    const rotated = { ...planted, WORKSPACE_VAR_TOKEN: "rotated-token" };
    const isChanged = async (env: typeof planted) => {
      const { client } = await start(declared, env);
      const { props } = await client.read(type, id, outs);
      return (await client.diff(type, id, props, inputs)).changes;
    };
    expect([await isChanged(planted), await isChanged(rotated)]).toEqual([false, false]);
    const path = `/workspaces/acme/variables/${id.split("/").at(-1)}`;
    await emulator.edit({ method: "PATCH", path, body: { key: "I", value: "by hand" } });
    expect([await isChanged(planted), await isChanged(rotated)]).toEqual([true, true]);
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
      const longer = createReferringText(["A longer text, and ", { origin: "env", name: "TOKEN" }], []);
      // The engine takes the old argument, and the references of the file.
      const news = {
        ...given(`E-${engine}`, buildReferringInputs({ value: longer })),
        value: inputs["value"],
      };
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
        await expect(client.update(type, id, outs, next.inputs)).rejects.toThrow(
          'of its property "value" is not known',
        );
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
    const { providerIn } = await import("../engine.js");
    const { RegisteredReferences } = await import("../../../provider/adapters/declared-references.js");
    const { Session } = await import("../../../provider/connection/session.js");
    const emulator = await startEmulator();
    closing.push(() => void emulator.close());
    const { baseUrl, token, workspace } = emulator;
    const session = new Session({ baseUrl, token, workspace, allowInsecure: false });
    const world = { env: planted, print: () => undefined, references: new RegisteredReferences() };
    const provider = providerIn(session, "Group", world);
    const value = createReferringText([{ origin: "env", name: "TOKEN" }], []);
    const inputs = { name: "QA", ...buildReferringInputs({ description: value }) };
    await expect(provider.create(inputs)).rejects.toThrow(
      "but the workspace file does not, so it was not read",
    );
    await provider.check({}, inputs);
    const { id } = await provider.create(inputs);
    expect(id).toMatch(/^acme\//);
  });
});
