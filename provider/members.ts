/** The people in a group or a project, where it holds the complete list itself (`exclusive: true`). */
import { ServiceError } from "../client/index.js";
import type { Context } from "./context.js";
import type { Fields, ListSource, Live, SingleSource } from "./definition.js";
import { ProviderError } from "./errors.js";
import { lists } from "./lists.js";

/** One person in the list, with the rights where the list gives any. */
export interface Membership {
  readonly member: number;
  readonly permissionSet?: number;
}

/** A list of people, and how it is changed. */
export interface People {
  readonly list: ListSource;
  readonly wanted: readonly Membership[];
  readonly add: (person: Membership) => Promise<object>;
  /** Gives a person who is there the wanted rights; undefined when there is nothing to do. */
  readonly adjust?: (person: Membership, now: Live) => Promise<object | undefined>;
  /** A declared person with what the list may not show. */
  readonly detail?: (now: Live) => Promise<Live>;
  readonly remove: (member: number) => Promise<void>;
}

/** Why a person stays where a declaration leaves them out; undefined when nothing speaks for it. */
export async function reasonToKeep(context: Context, member: number): Promise<string | undefined> {
  if ((await context.callerId()) === member) return "it is the calling user's own membership";
  const load = () => context.api.members.get(context.workspace, member);
  try {
    const live = (await context.reads.single(`members/${member}`, load)) as Live;
    return live["workspace_owner"] === true ? "the member owns the workspace" : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not-found") return undefined;
    throw error;
  }
}

/** Where an object that holds its people finds them: all who are declared, and whoever else would have to go. */
export function peopleSource(context: Context, people: People): SingleSource {
  const { list, wanted, detail } = people;
  return {
    kind: "single",
    key: `${list.key}?held`,
    madeOf: list.key,
    load: async () => {
      const members: Live[] = [];
      for (const live of await all(context, list)) {
        const declared = wanted.some(({ member }) => member === live["id"]);
        if (declared) members.push(detail ? await detail(live) : live);
        else if ((await reasonToKeep(context, Number(live["id"]))) === undefined)
          members.push(await withEmail(context, live));
      }
      return { members };
    },
  };
}

/**
 * Brings the list to the wanted people: first everybody comes and gets their rights, then whoever is too many goes. The
 * calling user and the workspace's owner always stay.
 * @returns the people in the list that are wanted
 */
export async function bringPeople(context: Context, people: People): Promise<readonly Live[]> {
  const { list, wanted } = people;
  const numbers = wanted.map(({ member }) => member);
  const twice = numbers.find((member, index) => numbers.indexOf(member) !== index);
  if (twice !== undefined)
    throw new ProviderError("ambiguous-name", `members: two of them are the same person (number ${twice})`);

  const live = await all(context, list);
  const there = new Map(live.map((person) => [Number(person["id"]), person]));
  const brought = await allOf(
    wanted.map(async (person) => {
      const now = there.get(person.member);
      const written = now === undefined ? await people.add(person) : await people.adjust?.(person, now);
      if (written !== undefined) context.reads.enter(list.key, isPerson(person.member), written);
      return { ...now, ...written };
    }),
  );
  const tooMany = [...there.keys()].filter((member) => !numbers.includes(member));
  if (tooMany.length > 0) await refuseBlind(context);
  await allOf(
    tooMany.map(async (member) => {
      if ((await reasonToKeep(context, member)) !== undefined) return;
      await people.remove(member).catch((error: unknown) => {
        if (!(error instanceof ServiceError && error.code === "not-found")) throw error;
      });
      context.reads.enter(list.key, isPerson(member), undefined);
    }),
  );
  return brought;
}

/** Carries out a change of the people, if the change is one of them: what is known of the object after it. */
export async function changePeople(
  context: Context,
  sent: Fields,
  at: Fields,
  people: () => People,
): Promise<{ members?: readonly Live[] }> {
  const concerned = "members" in sent || "exclusive" in sent;
  return concerned && at["exclusive"] === true ? { members: await bringPeople(context, people()) } : {};
}

/** The service ignores the rights that are posted when the caller is no administrator (spec, Projects). */
export function refuseOtherRights(live: Live, wanted: unknown, project: string): void {
  if ((live["permission_set"] as Fields | null | undefined)?.["id"] === wanted) return;
  throw new ProviderError(
    "not-as-asked",
    `the member was added to project "${project}" but not with the permission set that was asked for: ` +
      `the service gives a new member the caller's own rights unless the caller administers the workspace. ` +
      `Use an administrator's token`,
  );
}

/** Without knowing who calls, nobody is taken out: it could be the caller. */
async function refuseBlind(context: Context): Promise<void> {
  if ((await context.callerId()) !== undefined) return;
  throw new ProviderError(
    "refused",
    `members: nobody was taken out, since the token may not tell whose it is, and the calling user has to stay. ` +
      `Use a token that may read its user (scope USER_INFO)`,
  );
}

/** An e-mail says more than a number: it is looked up where the list does not show it. */
async function withEmail(context: Context, live: Live): Promise<Live> {
  if (live["email"] !== undefined) return live;
  const known = (await lists.members(context)).find(isPerson(Number(live["id"])));
  return known?.["email"] === undefined ? live : { ...live, email: known["email"] };
}

function all(context: Context, list: ListSource): Promise<readonly Live[]> {
  return context.reads.list(list.key, list.load) as Promise<readonly Live[]>;
}

/** All of them are waited for, so that nothing goes on behind an error. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

const isPerson = (member: number) => (item: object) => (item as Live)["id"] === member;
