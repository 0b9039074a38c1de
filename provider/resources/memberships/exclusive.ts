/** What a Group and a Project declare of the people they hold themselves. */
import { z } from "zod";
import type { Holding } from "../../definition/context.js";
import type { Definition, Fields, Live, Reference, WireField } from "../../definition/definition.js";
import type { Membership } from "./memberships.js";

/** The argument that makes the list complete. */
export const exclusive = z
  .boolean()
  .optional()
  .describe(
    "true: `members` are all there may be, and whoever else is found is taken out (save the calling user and the " +
      "workspace's owner). Otherwise others stay.",
  )
  .meta({ default: false });

type Rule = (...given: Parameters<Definition["rules"]>) => void;

/** `members` and `exclusive` only go together: without, members are resources of their own. */
export function exclusiveRule(resourceOfItsOwn: string): Rule {
  return (args, problem) => {
    const given = args["members"] !== undefined && args["members"] !== null;
    if (args["exclusive"] === true && !given) {
      problem("members", "is required with exclusive: true ([] for nobody but the calling user)", "required");
    }
    if (given && (args["exclusive"] ?? false) === false) {
      const way = `otherwise each is a ${resourceOfItsOwn} of its own`;
      problem("members", `goes only with exclusive: true; ${way}`, "conflict");
    }
  };
}

/** Ours alone, but a change of it has to be carried out. */
export const exclusiveWire: WireField = { to: (value) => ({ exclusive: value }), from: () => undefined };

/** The people, read into the live object from a list of their own. */
export function membersWire(item: (live: Live) => unknown): WireField {
  return {
    to: (people) => ({ members: people }),
    from: (live) => (live["members"] as readonly Live[] | undefined)?.map(item),
    keys: () => ["members"],
  };
}

/** How a person is shown whom nobody declared: by e-mail, where the service tells it. */
export const personLabel: NonNullable<Reference["label"]> = (live, item, at) => {
  const index = membershipsOf(at).findIndex(({ member }) => member === item);
  const declared = (at["members"] as readonly unknown[] | undefined)?.[index];
  if (declared !== undefined) return isRecord(declared) ? declared["member"] : declared;
  const found = (live["members"] as readonly Live[] | undefined)?.find((person) => person["id"] === item);
  return found?.["email"] ?? item;
};

/** The people that an object holds, as they were resolved. */
export function membershipsOf(at: Fields): readonly Membership[] {
  const resolved = (at["memberIds"] ?? []) as readonly (number | Membership)[];
  return resolved.map((item) => (typeof item === "number" ? { member: item } : item));
}

/**
 * What the list of an object's people is to the resources of its members (holding.ts).
 * @param type of those resources
 * @param within their arguments and outputs that lead to the object
 */
export function holdingOf(list: string, at: Fields, type: string, within: Fields): Holding {
  const people = membershipsOf(at);
  const declared = (at["members"] ?? []) as readonly unknown[];
  return {
    argument: "members",
    list,
    held: at["exclusive"] === true,
    objects: people.map(({ member, permissionSet }, index) => {
      const item = declared[index] ?? member;
      const args = isRecord(item) ? item : { member: item };
      const rights = permissionSet === undefined ? {} : { permissionSetId: permissionSet };
      return { type, identity: member, at: { ...within, ...args, memberId: member, ...rights } };
    }),
  };
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
