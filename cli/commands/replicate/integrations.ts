/** Maps the integrations that the file uses to those of the target. */
import type { PropertyPath } from "../../../provider/definition/problems.js";
import { isServiceError, type Integration } from "../../../client/index.js";
import { mapReferences } from "../../../provider/index.js";
import type { Mapping } from "./mapping-file.js";
import { Explaining, type IntegrationSources, type Unmatched } from "./integration-missing.js";
import type { MissingPrerequisite } from "./missing.js";
import type { ReplicationTarget } from "./target.js";
import { overrideIn, usesOf, type Uses } from "./uses.js";

/** The target type of references to integrations. */
const INTEGRATION = "integration";

/** Writes mapped names into the overlay. @returns integrations without a counterpart */
export async function mapIntegrations(
  target: ReplicationTarget,
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

/** Finds the integrations in the target that have the mapped name. */
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
  // A value in the overlay is meant for the target. If it is not there, the mapping may know more.
  const mapped = integrations.get(String(value));
  if (own) return as(value).fits.length > 0 || mapped === undefined ? as(value) : as(mapped);
  if (typeof value === "string") return as(mapped ?? value);
  // The id of the source is meaningless in the target, but its name may exist there.
  const known = (await source().catch(() => [])).find(({ id }) => id === value);
  return as(mapped ?? (known && (integrations.get(known.name) ?? known.name)), known);
}
