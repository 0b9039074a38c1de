/** Tests resources/definition/renames.ts. */
import { expect, it } from "vitest";
import { parseRenames, RENAMED_VARIABLE, serializeRenames } from "../../../resources/definition/renames.js";

it("renames are passed to a run in its environment, without what is incomplete", () => {
  expect(parseRenames({})).toEqual([]);
  expect(parseRenames({ [RENAMED_VARIABLE]: " web = shop ,a=b, c, =d, e=," })).toEqual([
    { from: "web", to: "shop" },
    { from: "a", to: "b" },
  ]);
});

it("renames are written as they are read", () => {
  const renames = [
    { from: "web", to: "shop" },
    { from: "a", to: "b" },
  ];
  expect(parseRenames({ [RENAMED_VARIABLE]: serializeRenames(renames) })).toEqual(renames);
});
