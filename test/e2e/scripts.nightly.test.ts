/**
 * Tests on the real engine that `drift accept` takes a line of a script that was changed outside into the file, wherever the script stands,
 * and changes no other line. SCRIPTS says how many scripts, SEED which ones.
 */
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { documentText } from "../../workspace-file/write/write.js";
import {
  arbitraryScript,
  changeLine,
  countChanged,
  createDocument,
  PER_WORKSPACE,
  positionOf,
} from "../workspace-file/arbitrary-script.js";
import { setUp } from "./support.js";

const count = Number(process.env["SCRIPTS"] ?? 5 * PER_WORKSPACE);
const seed = Number(process.env["SEED"] ?? 7);
/** So many scripts of each workspace are changed, one in each position. */
const CHANGED = 5;
/** At most so many lines of the file for one line of a script. */
const LINES = 3;

it(`${count} scripts are accepted line by line (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const all = fc.sample(arbitraryScript, { seed, numRuns: count });
  const { file, run, get, edit } = await setUp(documentText(createDocument([])), { echoMemberEmail: true });
  const runOk = async (...argv: string[]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ argv, code, said: code === 0 ? "" : stdout + stderr }).toEqual({ argv, code: 0, said: "" });
  };
  for (let from = 0; from < all.length; from += PER_WORKSPACE) {
    const scripts = all.slice(from, from + PER_WORKSPACE);
    const text = documentText(createDocument(scripts));
    writeFileSync(file, text);
    await runOk("up", "--create-stack", "--yes");
    const { pipelines } = await get<{ pipelines: { id: number }[] }>("/projects/web/pipelines");
    const path = `/projects/web/pipelines/${pipelines[0]?.id}/actions`;
    const { actions } = await get<{ actions: { id: number; name: string }[] }>(path);
    for (const [index, script] of scripts.slice(0, CHANGED).entries()) {
      const { fit, body } = positionOf(index);
      const action = actions.find(({ name }) => name === `A${index}`);
      await edit("PATCH", `${path}/${action?.id}`, body(fit(changeLine(script, from))));
    }
    await runOk("drift", "accept", "--all");
    const after = readFileSync(file, "utf8");
    expect(countChanged(text, after), `from script ${from}`).toBeGreaterThan(0);
    const [before, now] = [text.split("\n"), after.split("\n")];
    const kept = before.filter((line) => now.includes(line)).length;
    expect(before.length - kept, after).toBeLessThanOrEqual(LINES * CHANGED);
    await runOk("drift");
  }
});
