/**
 * Attacks on what this process says and approves: addresses, texts next to secrets, names, approved plans and licenses. Each kind is also played
 * against a planted hole, which has to be found. `npm run stress -- attack` plays all.
 */
import { expect, it } from "vitest";
import { HIDDEN } from "../../../diff/values.js";
import { addressPlays } from "./address-plays.js";
import { approvalPlays } from "./approval-plays.js";
import { forgedFilePlays } from "./forged-files.js";
import { gitPlays } from "./git-plays.js";
import { licensePlays } from "./license-plays.js";
import { namePlays } from "./name-plays.js";
import { choosePlays, listWrongs, seed } from "./play-some.js";
import { textPlays } from "./text-plays.js";

const kinds = {
  "addresses are printed without credentials": {
    plays: [...addressPlays()],
    hole: addressPlays({ "as it is": ({ whole }) => whole }),
  },
  "a secret hides no change next to it": {
    plays: [...textPlays()],
    hole: textPlays(() => ({ table: JSON.stringify(HIDDEN) })),
  },
  "names show what they are": {
    plays: [...namePlays()],
    hole: namePlays(({ resOutputsEvent }) => ({
      table: Object.values(resOutputsEvent?.metadata ?? {}).join(),
    })),
  },
  "an approval is for what the file says": {
    plays: [...approvalPlays()],
    hole: approvalPlays((type) => type),
  },
  "a release names the packages that it contains": {
    plays: [...licensePlays()],
    hole: licensePlays(() => undefined),
  },
};

it.each(Object.entries(kinds))(`%s (seed ${seed})`, async (_, { plays }) => {
  expect(await listWrongs(choosePlays(plays, 8))).toEqual({});
});

it.each(Object.entries(kinds))("%s, and a planted hole is found", async (_, { hole }) => {
  const first = [...hole].slice(0, 40);
  expect(Object.keys(await listWrongs(first)).length).toBeGreaterThan(first.length / 2);
});

it("there are at least 700 of them, with those of files and of Git", () => {
  const counts = [...Object.values(kinds).map(({ plays }) => plays), [...forgedFilePlays()], [...gitPlays()]];
  for (const { length } of counts) expect(length).toBeGreaterThan(10);
  expect(counts.flat().length).toBeGreaterThan(700);
});
