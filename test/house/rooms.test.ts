/** Checks that files of tools that list the rooms list all of them. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listRooms } from "./rooms.js";

interface Settings {
  readonly include: readonly string[];
  readonly overrides: readonly { readonly filename: string }[];
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Settings;
const listFolders = (names: readonly string[]) => names.map((name) => name.split("/")[0] ?? "").toSorted();
const rooms = listRooms().toSorted();

it.each(["tsconfig.json", "tsconfig.build.json"])("%s lists each room once", (file) => {
  const { include } = read(file);
  const others = ["scripts", "test"];
  expect(
    listFolders(include.filter((name) => !others.includes(name.split("/")[0] ?? "") && name !== "*.ts")),
  ).toEqual(rooms);
});

it("the words of a room are checked in all rooms and scripts", () => {
  const [, listed = ""] = /^\{(.*)\}\/\*\*$/.exec(read("cspell.json").overrides[0]?.filename ?? "") ?? [];
  expect(listed.split(",")).toEqual([...rooms, "scripts"].toSorted());
});
