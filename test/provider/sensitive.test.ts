import { describe, expect, it } from "vitest";
import { definitionOf, secretNames } from "../../provider/index.js";
import { looksSecret } from "../../provider/sensitive.js";

describe("a value looks secret", () => {
  it.each([
    [[{ name: "Authorization", value: "Bearer x" }]],
    [[{ key: "API_TOKEN", value: "x" }]],
    [{ docs: { env: { apiKey: "x" } } }],
    [{ servers: [{ headers: { "x-secret": "x" } }] }],
    [[{ key: "X", value: "x", encrypted: true }]],
    ["https://bot:password@git.example.com/web.git"],
    ["https://hooks.example.com/deployed?token=x"],
  ])("%j", (value) => {
    expect(looksSecret(value)).toBe(true);
  });

  it.each([
    [[{ name: "Content-Type", value: "text/plain" }]],
    ["https://git.example.com/web.git"],
    ["git@git.example.com:web.git"],
    ["key: value, token and password in a sentence"],
    [{ docs: { url: "https://docs.example.com" } }],
    [22],
    [null],
  ])("but not %j", (value) => {
    expect(looksSecret(value)).toBe(false);
  });
});

it("secret are what is declared so and what looks like it, also inside the nested views of an action", () => {
  const agent = { type: "AGENT", password: "x", mcpServers: { docs: { token: "x" } }, model: "large" };
  expect(secretNames(definitionOf("Action"), agent).filter((name) => name in agent)).toEqual([
    "password",
    "mcpServers",
  ]);
});
