/** Manages the members of a group or a project that owns the complete list (`exclusive: true`). */
import { isServiceError, ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { ListSource } from "../definition/definition.js";
import { loadItems } from "../definition/lists.js";
import { ProviderError } from "../errors.js";

/** A declared member, with the rights in a project. */
export interface Membership {
  readonly member: number;
  readonly permissionSet?: number;
}

/** A member of a list, as the service shows them. */
export interface Person {
  readonly id: number;
  readonly email?: string | null | undefined;
  readonly permission_set?: { readonly id?: number | undefined; readonly name?: string } | null | undefined;
}

/** The members of an object, and how they are changed. */
export interface People {
  readonly list: ListSource<Person>;
  readonly desired: readonly Membership[];
  readonly add: (person: Membership) => Promise<Person>;
  /** Gives an existing member the declared rights. Returns undefined when the member has them already. */
  readonly adjust?: (person: Membership, now: Person) => Promise<Person | undefined>;
  /** A declared member with fields that the list may not show. */
  readonly detail?: (now: Person) => Promise<Person>;
  readonly remove: (member: number) => Promise<unknown>;
}

/** Why an unmanaged member stays; undefined when there is no reason. */
export async function findReasonToKeep(context: Context, member: number): Promise<string | undefined> {
  return (await readMemberStatus(context, member)).stays;
}

/**
 * The same, before a membership is deleted.
 * @throws {ProviderError} `refused` when it may be the calling user's own, which the token may not read
 */
export async function findReasonNotToDelete(context: Context, member: number): Promise<string | undefined> {
  const { stays, mayBeCaller } = await readMemberStatus(context, member);
  if (mayBeCaller) throw createUnknownCallerError(`member ${member} is not removed`);
  return stays;
}

/** Why a member stays, and whether the member may be the calling user, whom the token may not read. */
async function readMemberStatus(
  context: Context,
  member: number,
): Promise<{ readonly stays?: string; readonly mayBeCaller?: boolean }> {
  const caller = await context.callerId();
  if (caller === member) return { stays: "it is the calling user's own membership" };
  const load = () => context.api.members.get(context.workspace, member);
  try {
    const remote = await context.reads.single(`members/${member}`, load);
    if (remote.workspace_owner === true) return { stays: "the member owns the workspace" };
    return { mayBeCaller: caller === undefined };
  } catch (error) {
    if (isServiceError(error, "not-found")) return {};
    throw error;
  }
}

/** The refusal of a run that does not know its calling user, and so cannot protect them. */
export function createUnknownCallerError(what: string): ProviderError {
  return new ProviderError(
    "refused",
    `${what}, because the token does not allow to find out whose it is, and nobody may remove or demote themselves`,
    "Use a token with the scope USER_INFO, with which its user can be read",
  );
}

/**
 * Updates the list to the declared members: adds members and changes rights first, then removes the others. The calling user
 * and the workspace's owner always stay.
 * @param owner the object, for messages
 * @returns the declared members
 */
export async function setMembers(
  context: Context,
  people: People,
  owner: string,
): Promise<readonly Person[]> {
  const { list, desired } = people;
  const numbers = desired.map(({ member }) => member);
  const twice = numbers.find((member, index) => numbers.indexOf(member) !== index);
  if (twice !== undefined)
    throw new ProviderError(
      "ambiguous-name",
      `entries ${desired.flatMap(({ member }, index) => (member === twice ? [index + 1] : [])).join(" and ")} of "members" of ${owner} are the same person, who has the number ${twice} in the service`,
      "remove one of them. They may be an address and the number of that person, or the same address in upper and lower case",
    );

  const found = await loadItems(context, list);
  const there = new Map(found.map((person) => [person.id, person]));
  const others = [...there.keys()].filter((member) => !numbers.includes(member));
  // Checked before any member is added, because a refusal concerns the whole change.
  const leaving: number[] = [];
  for (const member of others)
    if ((await findReasonNotToDelete(context, member)) === undefined) leaving.push(member);
  for (const member of leaving)
    context.removals?.requireRemoval(list.key, member, there.get(member)?.email ?? `member ${member}`);
  const brought = await gatherAll(
    desired.map(async (person) => {
      const now = there.get(person.member);
      const written = now === undefined ? await people.add(person) : await people.adjust?.(person, now);
      if (written !== undefined) context.reads.enter(list.key, isPerson(person.member), written);
      return { ...now, ...written, id: person.member };
    }),
  );
  await gatherAll(
    leaving.map(async (member) => {
      await people.remove(member).catch((error: unknown) => {
        if (!(error instanceof ServiceError && error.code === "not-found")) throw error;
      });
      context.reads.enter(list.key, isPerson(member), undefined);
    }),
  );
  return brought;
}

/** The service ignores the posted rights when the caller is not an administrator (spec, Projects). */
export const OTHER_RIGHTS =
  "The service gives a new member the caller's own rights unless the caller administers the workspace: " +
  "use the token of a workspace administrator";

export function refuseOtherRights({ id, permission_set }: Person, desired: unknown, project: string): void {
  if (permission_set?.id === desired) return;
  throw new ProviderError(
    "not-as-asked",
    `member ${id} was added to project "${project}", but not with the declared permission set`,
    OTHER_RIGHTS,
  );
}

/** Waits for all of the work, so that none of it continues after an error. */
async function gatherAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

export const isPerson = (member: number) => (item: object) => "id" in item && item.id === member;
