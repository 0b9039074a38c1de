/** Files of earlier jobs and runs that somebody has changed: a refusal, or the same outcome. `npm run stress -- attack` plays every change. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listRooms } from "../../house/rooms.js";
import { forgedFilePlays } from "./forged-files.js";
import { choosePlays, listWrongs, seed } from "./play-some.js";
import { others, readers } from "./readers.js";
import { returnedFiles } from "./returned-files.js";

const plays = [...forgedFilePlays()];

it("are read as they were written", async () => {
  for (const play of plays.filter(({ title }) => title.endsWith(", as it was written"))) {
    const outcome = await Promise.resolve(play.act()).catch((error: Error) => error);
    if (play.title.startsWith("progress"))
      expect(outcome).toMatchObject({ message: expect.stringContaining("is in the checkout") as string });
    else expect(outcome, play.title).toEqual(play.expected);
  }
});

it(`are refused or change nothing (seed ${seed})`, async () => {
  const chosen = returnedFiles.flatMap(({ row }) =>
    choosePlays(
      plays.filter(({ title }) => title.startsWith(row)),
      12,
    ),
  );
  expect(await listWrongs(new Set(chosen))).toEqual({});
});

it("are all in the table of docs/security.md, and everything in the table is played", () => {
  const page = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, table = ""] = /## What comes back as input\n[^|]*((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = table
    .trim()
    .split("\n")
    .slice(2)
    .map((line) => line.split(" | ")[0]?.replace(/^\| /, ""));
  expect(rows.toSorted()).toEqual(returnedFiles.map(({ row }) => row).toSorted());
});

it("are all files that are parsed: a new reader has to say what it reads", () => {
  const root = new URL("../../../", import.meta.url).pathname;
  const rooms = listRooms().filter((room) => !["assumptions", "emulator", "schema"].includes(room));
  const parses = /JSON\.parse\(|readJsonFile(IfPresent)?\(|parse(Json(File|IfValid)?|ShallowJson)\(/;
  const found = rooms
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((name) => join(room, name)),
    )
    .filter((name) => name.endsWith(".ts") && parses.test(readFileSync(join(root, name), "utf8")));
  const known = [...Object.keys(readers), ...Object.values(others).flat()];
  expect(found.toSorted()).toEqual(known.toSorted());
  expect(Object.values(readers).flat().toSorted()).toEqual(returnedFiles.map(({ row }) => row).toSorted());
});
