/** Identifiers of integrations: the service tells them of none, so only the mapping can say that there is a counterpart. */
import type { Mapping } from "./mapping-file.js";
import type { MissingPrerequisite } from "./missing.js";
import type { Target } from "./target.js";
import { overrideIn, usesOf } from "./uses.js";

const IDENTIFIER = "integrationIdentifier";

/** Writes other identifiers into the overlay. @returns those that nobody has mapped */
export function mapIdentifiers(target: Target, mapping: Mapping, to: string): MissingPrerequisite[] {
  const found = usesOf(target.now(), target, ({ args }) => [{ path: [IDENTIFIER], value: args[IDENTIFIER] }]);
  return found.flatMap((uses) => {
    const [{ value, own }] = uses;
    const mapped = mapping.integrationIdentifiers.get(String(value));
    // What the overlay says itself is meant for the target.
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
