import fc from "fast-check";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  escapeReferences,
  resolveSecretReferences,
  secretReference,
} from "../../../provider/definition/secrets/references.js";

const sources = {
  env: { WORKSPACE_VAR_TOKEN: "of the environment", WORKSPACE_VAR_EMPTY: "", TOKEN: "x", ABSENT: "x" },
  config: (key: string) => (key === "ns:key" ? "of the configuration" : undefined),
};

describe("a template", () => {
  it("contains the secrets of all sources", () => {
    const file = join(mkdtempSync(join(tmpdir(), "secrets-")), "key.txt");
    writeFileSync(file, "of a file");
    const template = [
      { name: "X-Token", value: `Bearer ${secretReference("env", "TOKEN")}` },
      `${secretReference("config", "ns:key")} ${secretReference("file", file)}`,
    ];
    expect(resolveSecretReferences(template, sources)).toEqual({
      value: [{ name: "X-Token", value: "Bearer of the environment" }, "of the configuration of a file"],
      secrets: ["of the environment", "of the configuration", "of a file"],
      missing: [],
    });
  });

  it("keeps a reference to a secret that is missing or empty, and says what is missing", () => {
    const template = ["EMPTY", "ABSENT"].map((name) => secretReference("env", name));
    expect(resolveSecretReferences(template, sources)).toEqual({
      value: template,
      secrets: [],
      missing: [
        "the environment variable WORKSPACE_VAR_EMPTY",
        "the environment variable WORKSPACE_VAR_ABSENT",
      ],
    });
  });

  it("restores every other text", () => {
    const part = fc.constantFrom("$", "{", "}", "secret:env:TOKEN", "$${", "${secret:env:TOKEN}", "a");
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join("");
        const { value, secrets } = resolveSecretReferences(escapeReferences(text), sources);
        expect({ value, secrets }).toEqual({ value: text, secrets: [] });
      }),
    );
  });
});
