/** Plays with forged files: every part changed, removed, doubled and exchanged, and other files that were named by mistake. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forge } from "../forgery.js";
import { environment, type Play } from "./judge.js";
import type { ReturnedFile } from "./returned-file.js";
import { returnedFiles } from "./returned-files.js";

export const FORGED = "forged file";

/** Texts that are no such file. An error must not quote them. */
const MISTAKEN: readonly (readonly [string, string])[] = [
  ["a file of variables", `TOKEN=${environment["GITHUB_TOKEN"]}\n`],
  ["a document of YAML", `token: ${environment["GITHUB_TOKEN"]}\n`],
  ["one text", JSON.stringify(environment["GITHUB_TOKEN"])],
  ["a list", JSON.stringify([environment["GITHUB_TOKEN"]])],
  [
    "another file of JSON",
    JSON.stringify({
      version: environment["GITHUB_TOKEN"],
      kind: { [String(environment["GITHUB_TOKEN"])]: 1 },
    }),
  ],
  ["a file that ends early", `{"version":1,"token":"${environment["GITHUB_TOKEN"]}`],
  ["nothing", ""],
  ["null", "null"],
  ["very many brackets", "[".repeat(100_000)],
];

export function* forgedFilePlays(): Generator<Play> {
  for (const one of returnedFiles) {
    const { row, sample, format = JSON.stringify as (value: unknown) => string } = one;
    yield playOf(one, `${row}, as it was written`, format(sample));
    for (const { what, value } of forge(sample)) yield playOf(one, `${row}: ${what}`, format(value));
    for (const [what, text] of MISTAKEN) yield playOf(one, `${row} is ${what}`, text);
  }
}

function playOf({ act, expected, programs = [] }: ReturnedFile, title: string, text: string): Play {
  return {
    ...{ kind: FORGED, title, expected, programs },
    act: () => {
      const file = join(mkdtempSync(join(tmpdir(), "play-")), "returned.json");
      writeFileSync(file, text);
      return act(file);
    },
  };
}
