/** Responses that are nested so deeply that reading them would take all time and memory. */
import { expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { MAX_NESTING, parseShallowJson } from "../../client/shallow-json.js";
import { failure, FakeClock } from "./helpers.js";

const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);

it("parses what is nested as deeply as any response is, and refuses the rest before it parses it", () => {
  expect(JSON.stringify(parseShallowJson(nested(MAX_NESTING)))).toBe(nested(MAX_NESTING));
  for (const text of [nested(MAX_NESTING + 1), "[".repeat(5_000_000), '{"a":'.repeat(MAX_NESTING + 1)])
    expect(() => parseShallowJson(text)).toThrow(`nested deeper than ${MAX_NESTING} levels`);
});

it("counts no bracket in a text, wherever that ends", () => {
  const many = "[".repeat(MAX_NESTING + 1);
  for (const value of [many, `"${many}`, `\\${many}`, `\\"${many}\\\\`, `${many}\\`])
    expect(parseShallowJson(JSON.stringify({ value, [value]: [value] }))).toEqual({
      value,
      [value]: [value],
    });
  expect(() => parseShallowJson(`["a\\\\",${many}`)).toThrow("nested deeper");
  for (const text of ['"', '"\\', '["', "]]]", ""]) expect(() => parseShallowJson(text)).toThrow(SyntaxError);
});

it.each([200, 400, 404])("a response with status %d is an error that says so", async (status) => {
  const body = '{"errors":'.repeat(100_000);
  const client = new WorkspaceAutomationClient({
    baseUrl: "https://service.example",
    token: "t",
    clock: new FakeClock(),
    retry: { limit: 0, baseMs: 0 },
    fetch: () => Promise.resolve(new Response(body, { status })),
  });
  const error = await failure(client.user.get());
  expect(error.status).toBe(status);
  expect(error.message).not.toContain('{"errors"');
  if (status === 200) expect(error.message).toContain("nested deeper than 200 levels");
});
