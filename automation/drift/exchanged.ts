/**
 * Finds objects that seem to have exchanged their names outside. A project has no id: where nothing in two of them has one either, an exchange
 * looks as if each had got the texts of the other.
 */
import { isSameJson } from "../../diff/values.js";
import { findDefinition } from "../../provider/index.js";
import { isWithin } from "../../resources/definition/logical-name.js";
import type { Accepted } from "./accept-edits.js";
import type { DriftFinding } from "./drift-report.js";

interface Separated {
  readonly wanted: readonly DriftFinding[];
  /** What is in objects that seem to have exchanged their names, and why it is not accepted. */
  readonly exchanged: Accepted["left"];
}

/** Separates what would be written into the entry of another object. */
export function separateExchanged(findings: readonly DriftFinding[]): Separated {
  const pairs = listExchanges(findings);
  const wanted: DriftFinding[] = [];
  const exchanged: { finding: DriftFinding; why: string }[] = [];
  for (const finding of findings) {
    const pair = pairs.find(([name]) => isWithin(finding.name, name));
    if (pair === undefined) wanted.push(finding);
    else exchanged.push({ finding, why: explainExchange(pair) });
  }
  return { wanted, exchanged };
}

/** Says of objects that they seem to have exchanged their names. */
export function noteExchanges(findings: readonly DriftFinding[]): DriftFinding[] {
  const pairs = new Map(listExchanges(findings));
  return findings.map((finding) => {
    const other = pairs.get(finding.name);
    if (other === undefined || finding.class !== "changed") return finding;
    const perhaps = `${other} shows what this has shown before, and the reverse: perhaps the two have exchanged their names`;
    return { ...finding, note: finding.note === undefined ? perhaps : `${finding.note}; ${perhaps}` };
  });
}

/** Lists each object that shows what another one has shown before, where the reverse is true as well. */
function listExchanges(findings: readonly DriftFinding[]): [name: string, other: string][] {
  const changed = findings.filter((one) => one.class === "changed" && !one.secret && isKnownByName(one.type));
  return changed.flatMap((one): [string, string][] => {
    const other = changed.find(
      (two) =>
        one.type === two.type &&
        one.path === two.path &&
        one.name !== two.name &&
        isSameJson([one.live, two.live], [two.applied, one.applied]),
    );
    return other === undefined ? [] : [[one.name, other.name]];
  });
}

function explainExchange([name, other]: readonly [string, string]): string {
  return `${name} shows what ${other} has shown before, and the reverse. Perhaps the two have exchanged their names: then each would be written into the entry of the other. If so, give them their former names again in the service. Otherwise accept one after the other, by name`;
}

/** Whether the name of such an object can change, and is all that identifies it. */
function isKnownByName(type: string): boolean {
  const { identity, naturalKey = [], replaceOn = [] } = findDefinition(type) ?? {};
  const [key] = naturalKey;
  return key !== undefined && key === identity?.apiName && !replaceOn.includes(key);
}
