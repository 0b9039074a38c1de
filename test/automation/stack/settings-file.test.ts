/** Tests that a stack's settings file changes where Pulumi has changed a value, and nowhere else. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, diffSettings } from "../../../automation/stack/settings-file.js";

const yaml = { namespace: "shop", json: false };
const salt = {
  path: ["encryptionsalt"],
  value: "v1:ms3U2Nbw5xk=:v1:GMI2cfu196kKIZ6R:xdH5GprHolEvEBNiKMxdNqDYsXHTVw==",
};

const file = `config:
  # how many copies run
  replicas: 3
  release: 1.10 # as printed
  account: 12345678901234567890
  zip: 01234
  day: 2026-11-28
  on: yes
  shop:script: |
    set -e
  list:
    - 1_000
    - "7"
`;

describe("the settings of a stack", () => {
  it("keep numbers, dates and words as they are written when Pulumi adds its salt", () => {
    expect(applyChanges(file, [salt], yaml)).toBe(`${file}encryptionsalt: ${salt.value}\n`);
  });

  it("change under the key that is there, with the namespace or without it", () => {
    const changes = [
      { path: ["config", "shop:replicas"], value: "5" },
      { path: ["config", "shop:zip"], value: undefined },
      { path: ["config", "shop:script"], value: "true" },
      { path: ["config", "shop:token"], value: { secure: "v1:abc" } },
    ];
    const expected = file
      .replace("replicas: 3", 'replicas: "5"')
      .replace("  zip: 01234\n", "")
      .replace("shop:script: |\n    set -e", 'shop:script: "true"')
      .concat("  shop:token:\n    secure: v1:abc\n");
    expect(applyChanges(file, changes, yaml)).toBe(expected);
  });

  it("may be JSON, and may not exist yet", () => {
    const json = '{ "config": { "account": 12345678901234567890 } }\n';
    const changed = applyChanges(json, [salt, { path: ["config", "shop:a"], value: "b" }], {
      ...yaml,
      json: true,
    });
    expect(changed).toContain("12345678901234567890");
    expect(JSON.parse(changed)).toMatchObject({ encryptionsalt: salt.value, config: { "shop:a": "b" } });
    expect(applyChanges("", [salt], yaml)).toBe(`encryptionsalt: ${salt.value}\n`);
  });

  it("keep every line of a random file", () => {
    const scalar = fc.oneof(
      fc.constantFrom(
        "01234",
        "1_000",
        "0o17",
        "1e3",
        ".5",
        "1.10",
        "2026-01-01",
        "yes",
        "Off",
        "~",
        "''",
        '"a: b"',
        "0x1F",
      ),
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    const key = fc.stringMatching(/^(shop:)?[a-z][a-z0-9]{0,8}$/);
    const lines = fc.uniqueArray(fc.tuple(key, scalar), { selector: ([name]) => name, minLength: 1 });
    fc.assert(
      fc.property(lines, (entries) => {
        const text = `config:\n${entries.map(([name, value]) => `  ${name}: ${value}\n`).join("")}`;
        expect(applyChanges(text, [salt], yaml)).toBe(`${text}encryptionsalt: ${salt.value}\n`);
      }),
    );
  });

  it("differ where a value has changed, whether or not it is a default of the project", () => {
    const before = { config: { "shop:a": "3", "shop:b": { secure: "v1:x" } } };
    expect(diffSettings(before, structuredClone(before))).toEqual([]);
    const after = { ...before, encryptionsalt: "s", config: { ...before.config, "shop:a": "4" } };
    expect(diffSettings(before, after)).toEqual([
      { path: ["encryptionsalt"], value: "s" },
      { path: ["config", "shop:a"], value: "4" },
    ]);
  });
});
