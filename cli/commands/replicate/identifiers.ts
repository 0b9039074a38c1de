/** Maps identifiers of integrations: the service does not return them, so only the mapping file can name the counterpart. */
import type { Mapping } from "./mapping-file.js";
import type { MissingPrerequisite } from "./missing.js";
import type { ReplicationTarget } from "./target.js";
import { overrideIn, usesOf } from "./uses.js";

const IDENTIFIER = "integrationIdentifier";

/** Writes mapped identifiers into the overlay. @returns identifiers without a mapping */
export function mapIdentifiers(
  target: ReplicationTarget,
  mapping: Mapping,
  to: string,
): MissingPrerequisite[] {
  const found = usesOf(target.now(), target, ({ args }) => [{ path: [IDENTIFIER], value: args[IDENTIFIER] }]);
  return found.flatMap((uses) => {
    const [{ value, own }] = uses;
    const mapped = mapping.integrationIdentifiers.get(String(value));
    // A value in the overlay is meant for the target.
    if (own || mapped === value) return [];
    if (mapped !== undefined) {
      overrideIn(target, uses, mapped);
      return [];
    }
    const entry = { to: undefined, comment: `its identifier in ${to}` };
    return {
      what: `integration with the identifier "${value}"`,
      why: `the service does not tell identifiers, so nobody knows whether ${to} has it`,
      remedy: "map it to the identifier there; to itself, if it is the same",
      uses,
      mapping: { section: "integrationIdentifiers" as const, key: String(value), ...entry },
    };
  });
}
