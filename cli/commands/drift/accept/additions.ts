/** The entries of unmanaged objects: an export onto the file, limited to these objects and what they contain. */
import type { Io } from "../../../terminal/io.js";
import type { Edit } from "../../../../workspace-file/edit/index.js";
import type { Connection } from "../../../../provider/index.js";
import { listExpectedIn, type Existing, type LiveWorkspace } from "../../export/patch/patch.js";
import { patchPlan } from "../../export/patch/plan.js";
import { readConnection } from "../../export/read.js";
import type { Needed } from "../../export/placeholders.js";
import type { DriftFinding } from "../model.js";

export interface NewEntries {
  readonly edits: readonly { readonly edit: Edit; readonly finding: DriftFinding | undefined }[];
  /** Secrets that cannot be read. */
  readonly needed: readonly Needed[];
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
  const chosen = new Set<string>();
  for (const { edit, objects = [] } of patchPlan(existing, { ...whole, scoped: true }).subjects)
    if ("add" in edit && wanted.has(edit.add.name)) for (const name of objects) chosen.add(name);
  const limited: LiveWorkspace = {
    ...whole,
    scoped: true,
    scope: { ...whole.scope, includes: ({ name }) => chosen.has(name) },
  };
  const { subjects, needed } = patchPlan(existing, limited);
  const edits = subjects
    .filter(({ edit }) => "add" in edit)
    .map(({ edit, name }) => ({ edit, finding: wanted.get(name) }));
  const names = new Set(edits.map(({ finding }) => finding?.name));
  const left = findings
    .filter(({ name }) => !names.has(name) && ![...names].some((one) => one && name.startsWith(`${one}/`)))
    .map((finding) => ({ finding, why: explainSkipped(finding, whole) }));
  return { edits, needed, left };
}

function explainSkipped({ type, name }: DriftFinding, { discovery, declared }: LiveWorkspace): string {
  const gap = [...discovery.gaps, ...declared.gaps].find((one) => one.type === type && one.name === name);
  return gap?.reason ?? "it is not in the workspace any more, or what contains it is not in the file";
}
