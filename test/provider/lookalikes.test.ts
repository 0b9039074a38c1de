/** Tests that no reader takes a text of the service for a mark, although it reads the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN, isSecret } from "../../diff/values.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { getDefinition, importId } from "../../provider/index.js";
import { fromFindingData, toViewData } from "../../reports/view-data.js";
import { createDriftView } from "../../reports/views/drift-view.js";
import { fromJson, SecretValue, toJson } from "../../text/json-value.js";
import { finding, reportWith } from "../cli/commands/drift/support.js";
import { changedBetween, Engine } from "./engine.js";

let emulator: Emulator;
let engine: Engine;
let plugin: Engine;
beforeAll(async () => {
  emulator = await startEmulator();
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  plugin = new Engine(emulator.baseUrl, emulator.token, emulator.workspace, "plugin");
});
afterAll(() => emulator.close());

const LOOKALIKES = [
  "[secret]",
  "[secret, changed]",
  "(known later)",
  "secure!abc",
  '{"$secret":true}',
  "hmac:1",
];

describe.each(LOOKALIKES)("the text %j", (text) => {
  it("is a value of a plain variable, and another one is a change", async () => {
    const args = { key: `PLAIN_${LOOKALIKES.indexOf(text)}`, value: text };
    const made = await engine.create("Variable", args);
    expect(made.outs["value"]).toBe(text);
    const seen = (await engine.refresh(made))!;
    expect(changedBetween(made, seen)).toEqual([]);
    expect((await engine.diff(seen, args)).changes).toBe(false);
    const imported = await plugin.import(
      "Variable",
      importId(getDefinition("Variable"), emulator.workspace, made.outs),
    );
    expect([imported.inputs["value"], isSecret(imported.inputs["value"])]).toEqual([text, false]);

    const body = { key: args.key, value: `${text}, changed` };
    const path = `/workspaces/acme/variables/${String(made.outs["variableId"])}`;
    await emulator.edit({ method: "PATCH", path, body });
    expect((await engine.refresh(seen))?.outs["value"]).toBe(body.value);
  });

  it("is a text in a report, and in that of a fleet", () => {
    expect(fromJson(toJson({ a: [text] }))).toEqual({ a: [text] });
    const live = toJson(text);
    const view = createDriftView(reportWith({ findings: [finding({ declared: "other", live })] }));
    const [data] = toViewData(view).findings;
    expect(fromFindingData(data!, "1").columns.map(({ value }) => value)).toContain(text);
  });
});

it("a secret is a mark in the report of a fleet, and no text", () => {
  const secrets = { declared: new SecretValue("hmac:1"), live: new SecretValue("hmac:2") };
  const view = createDriftView(reportWith({ findings: [finding({ secret: true, ...secrets })] }));
  const [data] = toViewData(view).findings;
  expect(JSON.stringify(data)).not.toContain("hmac:");
  expect(fromFindingData(data!, "1").columns.map(({ value }) => value)).toEqual([HIDDEN, HIDDEN]);
});
