/**
 * Tests on the real engine that `drift accept` takes a line of each script that was changed outside into the file, wherever the script
 * stands, and changes no other line. SCRIPTS says how many scripts, SEED which ones.
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
  positionOf,
} from "../workspace-file/arbitrary-script.js";
import { setUp } from "./support.js";

const count = Number(process.env["SCRIPTS"] ?? 100);
const seed = Number(process.env["SEED"] ?? 7);
/** So many scripts are in one workspace, and changed at once. */
const TOGETHER = 100;
/** At most so many lines of the file for one line of a script. */
const LINES = 3;

/** The lines of each action. The first part is what stands before them. */
const splitActions = (text: string) => text.split(/^(?= +- name: A\d+$)/m);

it(`${count} scripts are accepted line by line (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const all = fc.sample(arbitraryScript, { seed, numRuns: count });
  const { file, run, get, edit } = await setUp(documentText(createDocument([])), { echoMemberEmail: true });
  const runOk = async (...argv: string[]) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ argv, code, said: code === 0 ? "" : stdout + stderr }).toEqual({ argv, code: 0, said: "" });
  };
  for (let from = 0; from < all.length; from += TOGETHER) {
    const scripts = all.slice(from, from + TOGETHER);
    const text = documentText(createDocument(scripts));
    writeFileSync(file, text);
    await runOk("up", "--create-stack", "--yes");
    const { pipelines } = await get<{ pipelines: { id: number }[] }>("/projects/web/pipelines");
    const path = `/projects/web/pipelines/${pipelines[0]?.id}/actions`;
    const { actions } = await get<{ actions: { id: number; name: string }[] }>(path);
    const changed = scripts.map((script, index) => {
      const { fit, body } = positionOf(index);
      return { before: fit(script), after: fit(changeLine(script, from + index)), body };
    });
    for (const [index, { after, body }] of changed.entries()) {
      const action = actions.find(({ name }) => name === `A${index}`);
      await edit("PATCH", `${path}/${action?.id}`, body(after));
    }
    await runOk("drift", "accept", "--all");
    const [before, now] = [splitActions(text), splitActions(readFileSync(file, "utf8"))];
    expect(now.length).toBe(scripts.length + 1);
    expect(now[0]).toBe(before[0]);
    for (const [index, of] of changed.entries()) {
      const lines = countChanged(before[index + 1] ?? "", now[index + 1] ?? "");
      expect(lines > 0, now[index + 1]).toBe(of.before !== of.after);
      expect(lines, `${before[index + 1]} is now ${now[index + 1]}`).toBeLessThanOrEqual(LINES);
    }
    await runOk("drift");
  }
});
