/** Plays with the licenses of a bundle: every part of its notices and of its list is changed before the release is checked. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AutomationError } from "../../../automation/errors.js";
import { requireThirdParty, writeThirdParty } from "../../../scripts/third-party.mjs";
import { forge } from "../forgery.js";
import type { Play } from "./judge.js";

export const LICENSE = "licenses of a bundle";
const [NOTICES, SBOM] = ["THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"];

/** A bundle of two packages. */
function bundle(): string {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  const inputs = ["one", "@scope/two"].map((name, index) => {
    const at = join(folder, "node_modules", name);
    mkdirSync(at, { recursive: true });
    const about = { name, version: `1.0.${index}`, license: "MIT" };
    writeFileSync(join(at, "package.json"), JSON.stringify(about));
    writeFileSync(join(at, "LICENSE"), `Copyright ${index} by somebody`);
    return [join(at, "index.js"), { bytesInOutput: 7 }] as const;
  });
  const outputs = { "out.js": { inputs: Object.fromEntries(inputs) } };
  writeThirdParty(folder, { outputs }, { name: "own", version: "0.1.0" });
  return folder;
}

/** Parts of the list that say which packages there are. */
const TELLING = /^(without )?components(\.\d+(\.(name|version))?)?( |$)/;

/** @param check of a release */
export function* licensePlays(check: (folder: string) => void = requireThirdParty): Generator<Play> {
  const root = bundle();
  const [notices, sbom] = [NOTICES, SBOM].map((name) => readFileSync(join(root, name ?? ""), "utf8"));
  const play = (title: string, files: readonly string[], expected: string): Play => ({
    ...{ kind: LICENSE, title, expected },
    act: () => {
      const folder = mkdtempSync(join(tmpdir(), "bundle-"));
      for (const [index, name] of [NOTICES, SBOM].entries())
        writeFileSync(join(folder, name), files[index] ?? "");
      try {
        check(folder);
      } catch (error) {
        throw new AutomationError((error as Error).message, "build the bundle again");
      }
      return "released";
    },
  });
  yield play("as they were written", [notices ?? "", sbom ?? ""], "released");
  for (const { what, value } of forge(JSON.parse(sbom ?? "")))
    if (TELLING.test(what) && !what.includes("<->"))
      yield play(`list: ${what}`, [notices ?? "", JSON.stringify(value)], "refused");
  const parts = (notices ?? "").split(/\n-{80}\n/);
  for (const index of parts.keys())
    if (index > 0)
      yield play(
        `notices without ${index}`,
        [parts.toSpliced(index, 1).join(`\n${"-".repeat(80)}\n`), sbom ?? ""],
        "refused",
      );
  for (const index of [1, 2])
    yield play(
      `notices without the text of ${index}`,
      [(notices ?? "").replace(`Copyright ${index - 1} by somebody`, ""), sbom ?? ""],
      "refused",
    );
}
