/**
 * `npm run bench -- loader`: compares the validation of a workspace file of 20,000 lines with the parsing of the same text by the yaml
 * library, as a ratio measured in one run. Their rounds alternate, and the median of the pairs counts.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { readDeclarations } from "../workspace-file/load/index.js";
import { measureInPairs } from "./bench/pairs.js";
import { writeWorkspace } from "./bench/workspace.js";

/** Objects of a file of some 20,000 lines. */
const OBJECTS = 4500;
const WARM_UP = 3;
const ROUNDS = Number(process.argv[2] ?? 9);
const MOST = 3;

const folder = mkdtempSync(join(tmpdir(), "bench-loader-"));
try {
  const file = join(folder, "workspace.yaml");
  const text = writeWorkspace(OBJECTS);
  writeFileSync(file, text);
  let declared = 0;
  const validate = () => {
    declared = readDeclarations(file, { mock: true, env: {} }).declarations.length;
  };
  const parse = (): unknown => parseDocument(text, { merge: true }).toJS({ maxAliasCount: -1 });

  const { own, bare, ratio } = await measureInPairs({ own: validate, bare: parse }, ROUNDS, WARM_UP);
  process.stdout.write(
    `${text.split("\n").length - 1} lines, ${(text.length / 1024).toFixed(0)} KB, ${declared} resources: ` +
      `yaml parses in ${bare.toFixed(0)} ms, validation takes ${own.toFixed(0)} ms: ${ratio.toFixed(2)} times as long\n`,
  );
  if (ratio > MOST) {
    process.stdout.write(`more than ${MOST} times as long\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
