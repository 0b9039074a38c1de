/** Checks that the assumptions can be referred to, and that each behavior of a service belongs to one. */
import { expect, it } from "vitest";
import { isCheckable } from "../../assumptions/assumption.js";
import { assumedBehavior, behaviorSchema } from "../../assumptions/behavior.js";
import { assumptions } from "../../assumptions/list-of-assumptions.js";

it("each assumption has an id of its own, in words that can be part of an address", () => {
  const ids = assumptions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

it("each behavior belongs to one assumption, which can be checked", () => {
  const settings = assumptions.flatMap(({ behavior }) => behavior ?? []);
  expect(settings.toSorted()).toEqual(Object.keys(behaviorSchema.shape).toSorted());
  const unchecked = assumptions.filter(
    ({ behavior, check }) => behavior !== undefined && !isCheckable(check),
  );
  expect(unchecked).toEqual([]);
});

it("what is assumed is a behavior", () => {
  expect(behaviorSchema.parse(assumedBehavior)).toEqual(assumedBehavior);
});

it("a check that writes says what it removes", () => {
  const silent = assumptions.filter(
    ({ check }) => isCheckable(check) && check.writes && check.undo === undefined,
  );
  expect(silent).toEqual([]);
});
