/** Tests what a program's provider says when nothing names a service. */
import { expect, it } from "vitest";
import { Run } from "../../../provider/adapters/provider-run.js";
import { ResourceProvider } from "../../../provider/adapters/resource-provider.js";
import { getDefinition } from "../../../provider/index.js";

it("a preview of new objects checks them, and says once why up will fail", async () => {
  const printed: string[] = [];
  const env = { WORKSPACE_AUTOMATION_CREDENTIALS: "/nowhere/credentials.json" };
  const run = new Run({ env, print: (line) => printed.push(line) }, () => {
    throw new Error("nothing is written");
  });
  run.configure(() => undefined);
  for (const name of ["QA", "On call"]) {
    const { failures } = await new ResourceProvider(getDefinition("Group"), run).check({}, { name });
    expect(failures).toEqual([]);
  }
  expect(printed).toEqual([
    expect.stringMatching(
      /^nothing is compared with the service, and up will fail: no base address .* is set/,
    ),
  ]);
});
