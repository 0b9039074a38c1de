import { expect, it } from "vitest";
import { RENAMED_VARIABLE, renamesIn, renamesText } from "../../../provider/crud/renames.js";

it("renames are passed to a run in its environment, without what is incomplete", () => {
  expect(renamesIn({})).toEqual([]);
  expect(renamesIn({ [RENAMED_VARIABLE]: " web = shop ,a=b, c, =d, e=," })).toEqual([
    { from: "web", to: "shop" },
    { from: "a", to: "b" },
  ]);
});

it("renames are written as they are read", () => {
  const renames = [
    { from: "web", to: "shop" },
    { from: "a", to: "b" },
  ];
  expect(renamesIn({ [RENAMED_VARIABLE]: renamesText(renames) })).toEqual(renames);
});
