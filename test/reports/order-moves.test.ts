/** Tests how plans say that the order of actions changes. */
import { expect, it } from "vitest";
import { describeMoves } from "../../reports/plan/order-moves.js";

const change = (before: unknown, after: unknown) => [{ path: "actions", parts: ["actions"], before, after }];
const [build, team, site] = ["Build (19)", "Tell the team (31)", "Is it up? (40)"];

it("names each action that moves, and no sign of a deletion", () => {
  expect(describeMoves(change([build, team], [team, build]), false)).toEqual([
    "    Build (19) moves after Tell the team (31)",
  ]);
  expect(describeMoves(change([build, team, site], [build, site, team]), false)).toEqual([
    "    Tell the team (31) moves after Is it up? (40)",
  ]);
});

it("leaves new and deleted actions to their rows, where there are any", () => {
  const both = change([build, team, site], ["Lint (new)", team, build]);
  expect(describeMoves(both, true)).toEqual(["    Build (19) moves after Tell the team (31)"]);
  expect(describeMoves(both, false)).toBeUndefined();
});

it("shows other changes as they are", () => {
  for (const [before, after] of [
    [[build, build], [build]],
    [
      [1, 2],
      [2, 1],
    ],
    [undefined, [build]],
    [
      [build, team],
      [build, team],
    ],
  ])
    expect(describeMoves(change(before, after), true)).toBeUndefined();
});
