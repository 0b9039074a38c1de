/**
 * `npm run bench -- loader`: compares the validation of a workspace file of 20,000 lines with the parsing of the same text by the yaml
 * library.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { comparePair } from "./pairs.js";
import { writeWorkspace } from "./workspace.js";

/** Objects of a file of some 20,000 lines. */
const OBJECTS = 4500;
const ROUNDS = Number(process.argv[2] ?? 9);

const folder = mkdtempSync(join(tmpdir(), "bench-loader-"));
const file = join(folder, "workspace.yaml");
const text = writeWorkspace(OBJECTS);
writeFileSync(file, text);
const validate = () => readDeclarations(file, { mock: true, env: {} }).declarations.length;
const size = `${text.split("\n").length - 1} lines, ${(text.length / 1024).toFixed(0)} KB, ${validate()} resources`;
await comparePair(
  {
    what: `validation of ${size}, and their parsing by yaml`,
    calls: 1,
    own: () => Promise.resolve(validate()),
    bare: () => Promise.resolve(parseDocument(text, { merge: true }).toJS({ maxAliasCount: -1 })),
    least: 1 / 3,
  },
  ROUNDS,
  3,
);
rmSync(folder, { recursive: true });
