/** The entries of unmanaged objects: an export onto the file, limited to these objects and what they contain. */
import type { Io } from "../../../terminal/io.js";
import type { Edit } from "../../../../workspace-file/edit/index.js";
import type { Connection } from "../../../../provider/index.js";
import { isWithin } from "../../../../provider/definition/logical-name.js";
import { listExpectedIn } from "../../export/patch/patch-existing.js";
import type { Existing } from "../../export/patch/existing-file.js";
import { patchPlan, type LiveWorkspace } from "../../export/patch/plan-edits.js";
import { readConnection } from "../../export/read-workspace.js";
import type { Needed } from "../../export/placeholders.js";
import type { DriftFinding } from "../report.js";

export interface NewEntries {
  readonly edits: readonly { readonly edit: Edit; readonly finding: DriftFinding | undefined }[];
  /** Secrets that cannot be read. */
  readonly needed: readonly Needed[];
  /** Entries of deleted objects whose place another object of the same name takes. */
  readonly replaced: readonly string[];
  /** Findings without an entry of their own. */
  readonly left: readonly { readonly finding: DriftFinding; readonly why: string }[];
}

/** Reads the workspace, and builds the entries of the objects that the findings name. */
export async function buildEntriesOfUnmanaged(
  findings: readonly DriftFinding[],
  existing: Existing,
  connection: Connection,
  io: Io,
): Promise<NewEntries> {
  const whole = { ...(await readConnection(connection, {}, listExpectedIn(existing), io)), adopts: true };
  const wanted = new Map(findings.map((finding) => [finding.name, finding]));
  // Only a plan of the whole file tells which objects an entry contains.
  const plan = patchPlan(existing, { ...whole, scoped: true });
  const chosen = new Set<string>();
  for (const { edit, objects = [] } of plan.subjects)
    if ("add" in edit && wanted.has(edit.add.name)) for (const name of objects) chosen.add(name);
  // What was created anew under the name of a declared object takes over its entry.
  const anew = plan.pairs.filter(({ live }) => wanted.has(live.name));
  const limited: LiveWorkspace = {
    ...whole,
    scoped: true,
    scope: {
      ...whole.scope,
      includes: ({ name }) => chosen.has(name) || anew.some(({ live }) => isWithin(name, live.name)),
    },
  };
  const { subjects, needed, pairs } = patchPlan(existing, limited);
  const adoptions = pairs
    .filter(({ declared: { definition, args } }) => !definition.adoptsExisting && args["adopt"] !== true)
    .map(({ declared: { name } }) => ({ edit: { set: { name, path: ["adopt"], value: true } }, name }));
  const edits = [...subjects, ...adoptions].flatMap(({ edit, name }) => {
    const pair = anew.find(({ declared }) => isWithin(name, declared.name));
    if (pair === undefined && !("add" in edit)) return [];
    return [{ edit, finding: wanted.get(pair?.live.name ?? name) }];
  });
  const names = new Set(edits.map(({ finding }) => finding?.name));
  const left = findings
    .filter(({ name }) => !names.has(name) && ![...names].some((one) => one && name.startsWith(`${one}/`)))
    .map((finding) => ({ finding, why: explainSkipped(finding, whole) }));
  return { edits, needed, left, replaced: anew.map(({ declared }) => declared.name) };
}

function explainSkipped({ type, name }: DriftFinding, { discovery, declared }: LiveWorkspace): string {
  const gap = [...discovery.gaps, ...declared.gaps].find((one) => one.type === type && one.name === name);
  return gap?.reason ?? "it is not in the workspace any more, or what contains it is not in the file";
}
