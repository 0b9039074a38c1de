/** Tests the gate of references to secrets: each rule alone keeps a reference closed. */
import { describe, expect, it } from "vitest";
import { TrustError } from "../../trust/errors.js";
import { openReference, type ReferenceRules, type SecretReference } from "../../trust/references.js";

const rules: ReferenceRules = {
  isDeclared: () => true,
  identifies: false,
  env: {
    TOKEN: "of the environment",
    WORKSPACE_VAR_TOKEN: "of the environment",
    PULUMI_CONFIG_PASSPHRASE: "planted",
  },
  config: (key) => (key === "key" ? "of the configuration" : undefined),
  file: (path) => (path === "key.txt" ? "of a file" : undefined),
};
const references: readonly SecretReference[] = [
  { origin: "env", name: "TOKEN" },
  { origin: "config", name: "key" },
  { origin: "file", name: "key.txt" },
];

describe("a reference to a secret", () => {
  it("is opened if all rules hold", () => {
    expect(references.map((one) => openReference(one, rules))).toEqual([
      { secret: "of the environment" },
      { secret: "of the configuration" },
      { secret: "of a file" },
    ]);
  });

  it.each<[string, Partial<ReferenceRules>, RegExp]>([
    [
      "that the present file does not have",
      { isDeclared: () => false },
      /but the workspace file does not, so it was not read/,
    ],
    ["in an argument that identifies the object", { identifies: true }, /it cannot come from a secret/],
    [
      "to a secret that there is not",
      { env: {}, config: () => undefined, file: () => undefined },
      /is not set|is empty/,
    ],
    [
      "to an empty secret",
      { env: { WORKSPACE_VAR_TOKEN: "" }, config: () => "", file: () => "" },
      /is not set|is empty/,
    ],
  ])("%s is not opened", (_case, more, reason) => {
    const read: string[] = [];
    const noting = {
      ...rules,
      config: (key: string) => (read.push(key), "planted"),
      file: (path: string) => (read.push(path), "planted"),
      ...more,
    };
    for (const one of references)
      expect(openReference(one, noting)).toEqual({ closed: expect.stringMatching(reason) as string });
    expect(read).toEqual([]);
  });

  it("to a credential of the run, or to a file that may not be read, is not opened", () => {
    const passphrase = openReference({ origin: "env", name: "PULUMI_CONFIG_PASSPHRASE" }, rules);
    expect(JSON.stringify(passphrase)).not.toContain("planted");
    const file = () => {
      throw new TrustError("path", "the file ../x is outside", "move it");
    };
    expect(openReference({ origin: "file", name: "../x" }, { ...rules, file })).toEqual({
      closed: "the file ../x is outside: move it",
    });
  });
});
