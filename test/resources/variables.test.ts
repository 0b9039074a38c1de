/** Tests variables whose values cannot be read or are managed elsewhere, against the emulator. */
import { describe, expect, it } from "vitest";
import { changedBetween } from "../provider/engine.js";
import { freshForEach } from "../provider/fresh.js";

const fresh = freshForEach();

describe("an encrypted variable", () => {
  const secret = { key: "API_KEY", value: "hunter2", encrypted: true };

  it("shows a value changed outside, although the value cannot be read", async () => {
    const variable = await fresh.engine.create("Variable", secret);
    await fresh.api.variables.update("acme", Number(variable.outs["variableId"]), {
      key: "API_KEY",
      value: "stolen",
    });
    const seen = await fresh.engine.refresh(variable);
    expect(seen && changedBetween(variable, seen)).toEqual(["observed", "value"]);
    expect(seen?.secrets).toEqual(["value"]);
    const restored = await fresh.engine.up(seen ?? variable, secret);
    const settled = await fresh.engine.refresh(restored);
    expect(settled && changedBetween(restored, settled)).toEqual([]);
  });

  it("never sends the mask back as a value", async () => {
    const variable = await fresh.engine.create("Variable", secret);
    await fresh.api.variables.update("acme", Number(variable.outs["variableId"]), {
      key: "API_KEY",
      value: "stolen",
    });
    const seen = await fresh.engine.refresh(variable);
    const restored = await fresh.engine.up(seen ?? variable, { ...secret, description: "For the shop" });
    expect(restored.outs["value"]).toBe("hunter2");
    // The service returns the same masked text for the same stored value.
    const live = await fresh.api.variables.get("acme", Number(variable.outs["variableId"]));
    expect({ value: live.value }).toEqual(variable.outs["observed"]);
  });
});

describe("a variable whose value is managed elsewhere", () => {
  const declared = { key: "API_KEY", value: "to be filled in", encrypted: true, valueManaged: false };

  it("is created once, and later changes of its value are ignored", async () => {
    const variable = await fresh.engine.create("Variable", declared);
    const id = Number(variable.outs["variableId"]);
    await fresh.api.variables.update("acme", id, { key: "API_KEY", value: "the real one" });
    const seen = await fresh.engine.refresh(variable);
    expect(seen && changedBetween(variable, seen)).toEqual([]);
    expect((await fresh.engine.diff(seen ?? variable, declared)).changes).toBe(false);
  });

  it("refuses other changes, since they would require sending the value", async () => {
    const variable = await fresh.engine.create("Variable", declared);
    await expect(fresh.engine.diff(variable, { ...declared, description: "For the shop" })).rejects.toThrow(
      /description cannot be changed while valueManaged is false/,
    );
  });
});
