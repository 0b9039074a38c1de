/** Generates the part of docs/decisions.md on what we assume of the service. */
import { type Assumption, isCheckable } from "../../assumptions/assumption.js";
import { assumptionGroups } from "../../assumptions/list-of-assumptions.js";
import { replaceSection } from "../section.js";

/** Returns the page with the assumptions as they are declared. */
export function renderDecisionsPage(): string {
  const parts = assumptionGroups.map(({ title, assumptions }) =>
    [`### ${title}`, ...assumptions.map(renderAssumption)].join("\n\n"),
  );
  return replaceSection("docs/decisions.md", "`npm run generate` from assumptions/", parts.join("\n\n"));
}

function renderAssumption({
  id,
  title,
  assumed,
  why,
  affects,
  check,
  behavior,
  otherwise,
}: Assumption): string {
  return [
    `<a id="${id}"></a>**${title}** (\`${id}\`). ${assumed}`,
    "",
    `- Why: ${why}`,
    `- Depends on it: ${affects}`,
    `- Otherwise: ${otherwise}`,
    `- Check: ${renderCheck(check)}`,
    ...(behavior === undefined ? [] : [`- Setting: \`${behavior}\``]),
  ].join("\n");
}

function renderCheck(check: Assumption["check"]): string {
  if (!isCheckable(check)) return `none; ${check.impossible}.`;
  const requests = check.requests.map((request) => `\`${request}\``).join(", then ");
  return `${requests}.${check.writes ? ` Writes (\`--write\`); removes ${check.undo ?? "nothing"}.` : ""}`;
}
