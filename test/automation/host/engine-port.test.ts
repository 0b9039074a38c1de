/** Tests the environment of the engine. */
import { describe, expect, it } from "vitest";
import { openEnginePort } from "../../../automation/host/engine-port.js";

async function variablesOf(waitsForJournal: boolean, env: Readonly<Record<string, string>> = {}) {
  const { server, variables } = await openEnginePort({
    env,
    engine: "dynamic",
    writesStateAtEnd: true,
    waitsForJournal,
    onEvent: () => {},
  });
  server.close();
  return variables;
}

describe("the engine", () => {
  it("processes more objects at a time while each waits for a journal in a bucket, unless the user limits it", async () => {
    expect(await variablesOf(false)).not.toHaveProperty("PULUMI_PARALLEL");
    const { PULUMI_PARALLEL: more } = await variablesOf(true);
    expect(Number(more)).toBeGreaterThanOrEqual(32);
    expect(await variablesOf(true, { PULUMI_PARALLEL: "4" })).toMatchObject({ PULUMI_PARALLEL: "4" });
  });
});
