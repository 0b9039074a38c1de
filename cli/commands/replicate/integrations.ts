/** Integrations that the file uses: what each is called in the target, and which of them are not there. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { isServiceError, type Integration } from "../../../client/index.js";
import { mapReferences } from "../../../provider/index.js";
import type { Mapping } from "./mapping-file.js";
import { Explaining, type IntegrationSources, type Unmatched } from "./integration-missing.js";
import type { MissingPrerequisite } from "./missing.js";
import type { Target } from "./target.js";
import { overrideIn, usesOf, type Uses } from "./uses.js";

/** What references to integrations are said to lead to. */
const INTEGRATION = "integration";

/** Writes other names into the overlay. @returns what has no counterpart */
export async function mapIntegrations(
  target: Target,
  mapping: Mapping,
  sides: IntegrationSources,
): Promise<MissingPrerequisite[]> {
  const found = usesOf(target.now(), target, ({ definition, args }) =>
    Object.entries(definition.references).flatMap(([arg, reference]) => {
      const values: { path: PropertyPath; value: unknown }[] = [];
      mapReferences(reference, args[arg], (inner, value, path) => {
        if (inner.to === INTEGRATION) values.push({ path: [arg, ...path], value });
        return value;
      });
      return values;
    }),
  );
  if (found.length === 0) return [];
  let there: readonly Integration[];
  try {
    there = await sides.target();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const remedy = `log in with the scope INTEGRATION_INFO: workspacectl login -c ${sides.to}`;
    const why = `those of ${sides.to} cannot be read: ${error.message}`;
    return [{ what: "integrations", why, remedy, uses: found.flat() }];
  }
  const explaining = new Explaining(mapping, sides, there);
  const missing: MissingPrerequisite[] = [];
  for (const uses of found) {
    const [{ value }] = uses;
    const match = await matched(uses, mapping, sides, there);
    if (match.fits.length !== 1 || match.wanted === undefined) missing.push(await explaining.missing(match));
    else if (match.wanted !== value) overrideIn(target, uses, match.wanted);
  }
  return missing;
}

/** What an integration is called in the target, and all there that are called so. */
async function matched(
  uses: Uses,
  { integrations }: Mapping,
  { source }: IntegrationSources,
  there: readonly Integration[],
): Promise<Unmatched> {
  const [{ value, own }] = uses;
  const as = (wanted: string | number | undefined, known?: Integration) => ({
    uses,
    wanted,
    known,
    fits: there.filter(({ id, name }) => (typeof wanted === "number" ? id === wanted : name === wanted)),
  });
  // What the overlay says itself is meant for the target. If it is not there, the mapping may know more.
  const mapped = integrations.get(String(value));
  if (own) return as(value).fits.length > 0 || mapped === undefined ? as(value) : as(mapped);
  if (typeof value === "string") return as(mapped ?? value);
  // The number of the first workspace says nothing here, its name may.
  const known = (await source().catch(() => [])).find(({ id }) => id === value);
  return as(mapped ?? (known && (integrations.get(known.name) ?? known.name)), known);
}
