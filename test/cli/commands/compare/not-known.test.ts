/** Tests that a comparison says what it does not know, at any depth of a value. */
import { expect, it } from "vitest";
import type { ComparedObject } from "../../../../cli/commands/compare/compare.js";
import { SensitiveValue, UnknownValue } from "../../../../cli/commands/compare/object.js";
import { compareFindings } from "../../../../cli/commands/compare/report.js";

const unknown = new UnknownValue("NOWHERE has no value here", "there", true);
const KEY = "00".repeat(32);

function findingOf(left: unknown, right: unknown) {
  const at = { type: "Action", name: "a", path: ["headers"], links: {}, places: {} };
  const [finding] = compareFindings(
    [{ ...at, class: "changed", left, right } as unknown as ComparedObject],
    KEY,
  );
  return finding;
}

it.each([
  ["a list", [{ name: "Authorization", value: unknown }]],
  ["a map", { Authorization: unknown }],
  ["a sensitive part", new SensitiveValue({ deep: [new SensitiveValue(unknown)] })],
])("a secret in %s without a value has no fingerprint", (_, left) => {
  const finding = findingOf(
    new SensitiveValue(left),
    new SensitiveValue([{ name: "Authorization", value: "x" }]),
  );
  expect(finding).toMatchObject({
    notKnown: ["left"],
    right: { fingerprint: expect.stringMatching(/^hmac:/) as string },
  });
  expect(finding?.left).toBeUndefined();
});

it("a part of a visible value is said to be not known, beside the known ones", () => {
  const part = new UnknownValue("it is known only after it has been applied", "there");
  const finding = findingOf([{ name: "A", value: part }, "b"], [{ name: "A", value: "x" }]);
  expect(finding).toMatchObject({
    left: [{ name: "A", value: { text: "(not known)" } }, "b"],
    right: [{ name: "A", value: "x" }],
  });
});

it("a secret that is known as a whole keeps its fingerprint", () => {
  const finding = findingOf(new SensitiveValue(["a"]), new SensitiveValue(["b"]));
  expect(finding?.notKnown).toBeUndefined();
  expect(finding?.left).not.toEqual(finding?.right);
});
