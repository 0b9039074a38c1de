/**
 * Tests that scripts keep every byte on their way from a file to the service and back, wherever they stand, and that a line that was
 * changed outside changes only its own lines in the file. SCRIPTS says how many scripts, SEED which ones.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { documentText } from "../../../../workspace-file/write/write.js";
import {
  arbitraryScript,
  changeLine,
  countChanged,
  createDocument,
  PER_WORKSPACE,
  positionOf,
  VARIABLES,
} from "../../../workspace-file/arbitrary-script.js";
import { Kept } from "./kept.js";

const count = Number(process.env["SCRIPTS"] ?? PER_WORKSPACE);
const seed = Number(process.env["SEED"] ?? 7);

it(`${count} scripts are the same at the service and in an export (seed ${seed})`, async () => {
  const all = fc.sample(arbitraryScript, { seed, numRuns: count });
  for (let from = 0; from < all.length; from += PER_WORKSPACE) {
    const scripts = all.slice(from, from + PER_WORKSPACE);
    const text = documentText(createDocument(scripts));
    expect(parse(text)).toEqual(createDocument(scripts));
    const kept = await Kept.of({ "workspace.yaml": text });
    const pipeline = await kept.numberOf("/projects/web/pipelines", "pipelines", "p");
    const path = `/projects/web/pipelines/${pipeline}/actions`;
    const { actions } = (await kept.edit("GET", path)) as unknown as { actions: Record<string, unknown>[] };
    const sent = actions.map((action) => JSON.stringify(action));
    for (const [index, one] of scripts.entries())
      expect(sent[index]).toContain(JSON.stringify(positionOf(index).fit(one)));
    const shown = (await kept.edit("GET", "/variables")) as unknown as { variables: { value: string }[] };
    expect(shown.variables.map((one) => one.value)).toEqual(scripts.slice(0, VARIABLES));
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
    const index = (from / PER_WORKSPACE) % PER_WORKSPACE;
    const { fit, body } = positionOf(index);
    await kept.edit(
      "PATCH",
      `${path}/${String(actions[index]!["id"])}`,
      body(fit(changeLine(scripts[index]!, from))),
    );
    expect(await kept.export()).toMatchObject({ code: 0 });
    expect(countChanged(text, kept.text()), kept.text()).toBeLessThanOrEqual(3);
    expect(await kept.export()).toMatchObject({ code: 0, stderr: "workspace.yaml: nothing to change\n" });
  }
});
