/** Compares a preview of a random program on plain Pulumi with what up does. SEED chooses another one. `references.nightly` compares more. */
import { it } from "vitest";
import { engines } from "../../provider/index.js";
import { checkReferences } from "../truth/references.js";

const seed = Number(process.env["SEED"] ?? 279_467);
const engine = engines[seed % 2] ?? "plugin";

it(`a preview announces the steps of up: seed ${seed}, ${engine}`, { timeout: 600_000 }, async () => {
  await checkReferences(seed, engine, "slice");
});
