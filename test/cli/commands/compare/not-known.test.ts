/** Tests that a comparison says what it does not know, at any depth of a value. */
import { expect, it } from "vitest";
import { compareFinding } from "../../../../automation/compare/compare-findings.js";
import { UnknownValue } from "../../../../automation/compare/compared-source.js";

const unknown = new UnknownValue("NOWHERE has no value here", "there");
const KEY = "00".repeat(32);

function findingOf(left: unknown, right: unknown, secret = false) {
  const at = { type: "Action", name: "a", path: ["headers"], links: {}, places: {} };
  return compareFinding({ ...at, class: "changed", left, right, secret }, KEY);
}

it.each([
  ["a list", [{ name: "Authorization", value: unknown }]],
  ["a map", { Authorization: unknown }],
  ["a part", { deep: [unknown] }],
])("a secret in %s without a value has no fingerprint", (_, left) => {
  const finding = findingOf(left, [{ name: "Authorization", value: "x" }], true);
  expect(finding).toMatchObject({
    notKnown: ["left"],
    right: { fingerprint: expect.stringMatching(/^hmac:/) as string },
  });
  expect(finding.left).toBeUndefined();
});

it("a part of a visible value is said to be not known, next to the known ones", () => {
  const part = new UnknownValue("it is known only after it has been applied", "there");
  const finding = findingOf([{ name: "A", value: part }, "b"], [{ name: "A", value: "x" }]);
  expect(finding).toMatchObject({
    left: [{ name: "A", value: { text: "(not known)" } }, "b"],
    right: [{ name: "A", value: "x" }],
  });
});

it("a secret that is known as a whole keeps its fingerprint", () => {
  const finding = findingOf(["a"], ["b"], true);
  expect(finding.notKnown).toBeUndefined();
  expect(finding.left).not.toEqual(finding.right);
});
