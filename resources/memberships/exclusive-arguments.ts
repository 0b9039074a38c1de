/** The arguments by which a Group or a Project owns its members. */
import type { Ownership } from "../definition/context.js";
import type { Fields } from "../definition/definition.js";
import { flag } from "../definition/primitives.js";
import type { ProblemCode } from "../definition/problems.js";
import type { Membership, Person } from "./memberships.js";

/** The argument by which `members` becomes the complete list. */
export const exclusive = flag(
  "true: `members` is the complete list, and other members are removed (except the calling user and the workspace's " +
    "owner). Otherwise other members stay.",
  false,
);

interface DeclaredPerson {
  readonly member: string | number;
  readonly permissionSet?: string | number;
}

/** The state of an object that may own its members. */
export interface OwnsPeople {
  readonly exclusive?: boolean | undefined;
  readonly members?: readonly (string | number | DeclaredPerson)[] | undefined;
  readonly memberIds?: readonly (number | Membership)[] | undefined;
}

/** The remote object, with its members. */
export interface WithPeople {
  readonly members?: readonly Person[] | null | undefined;
}

/** `members` needs `exclusive`. Without them, members are resources of their own. */
export function checkExclusive(type: string) {
  return (
    { members, exclusive = false }: { readonly members?: unknown; readonly exclusive?: unknown },
    problem: (property: "members", message: string, code: ProblemCode) => void,
  ): void => {
    const given = members !== undefined && members !== null;
    if (exclusive === true && !given) {
      problem(
        "members",
        "is required with exclusive: true ([] for no member except the calling user)",
        "required",
      );
    }
    if (given && (exclusive ?? false) === false) {
      problem("members", `needs exclusive: true; otherwise each member is a ${type} of its own`, "conflict");
    }
  };
}

/** Is never sent, but a change of it is an update. */
export const exclusiveField = {
  to: (value: unknown) => ({ exclusive: value }),
  from: () => undefined,
};

/** The members, which are read into the remote object from a list of their own. */
export function defineMembersField(item: (person: Person) => unknown) {
  return {
    to: (people: unknown) => ({ members: people }),
    from: (remote: WithPeople) => remote.members?.map(item),
    keys: () => ["members"],
  };
}

/** The form of an unmanaged member: the e-mail address, where the service shows it. */
export function labelPerson(remote: WithPeople, member: unknown, state: OwnsPeople): unknown {
  const index = listMemberships(state).findIndex((one) => one.member === member);
  const declared = state.members?.[index];
  if (declared !== undefined) return typeof declared === "object" ? declared.member : declared;
  return remote.members?.find(({ id }) => id === member)?.email ?? member;
}

/** The form of an unmanaged member, or of one with other rights than declared. */
export function labelProjectMember(
  remote: WithPeople,
  { member }: { member: number },
  state: OwnsPeople,
): unknown {
  const set = remote.members?.find(({ id }) => id === member)?.permission_set;
  return {
    member: labelPerson(remote, member, state),
    ...(set ? { permissionSet: set.name ?? set.id } : {}),
  };
}

/** The resolved members of an object. */
export function listMemberships({ memberIds = [] }: OwnsPeople): readonly Membership[] {
  return memberIds.map((item) => (typeof item === "number" ? { member: item } : item));
}

/**
 * The ownership of the list of an object's members (exclusive-ownership.ts).
 * @param type resource type of a member as a resource of its own
 * @param within arguments and outputs of such a resource that identify the object
 */
export function defineOwnership(list: string, state: OwnsPeople, type: string, within: Fields): Ownership {
  return {
    argument: "members",
    list,
    isOwned: state.exclusive === true,
    objects: listMemberships(state).map(({ member, permissionSet }, index) => {
      const item = state.members?.[index] ?? member;
      const args = typeof item === "object" ? item : { member: item };
      const rights = permissionSet === undefined ? {} : { permissionSetId: permissionSet };
      return { type, identity: member, state: { ...within, ...args, memberId: member, ...rights } };
    }),
  };
}
