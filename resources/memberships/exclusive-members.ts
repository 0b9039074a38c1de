/** The parts of a definition that own a list of members (`exclusive: true`), which Group and Project share. */
import type { Context } from "../definition/context.js";
import type { SingleSource } from "../definition/definition.js";
import { lists, loadItems } from "../definition/lists.js";
import type { OwnsPeople } from "./exclusive-arguments.js";
import { findReasonToKeep, isPerson, type People, type Person, setMembers } from "./memberships.js";

/** @param peopleOf the members of an object, given its state */
export function defineExclusiveMembers<S extends OwnsPeople>(
  peopleOf: (context: Context, state: S) => People,
) {
  return {
    sources: (context: Context, state: S): SingleSource[] =>
      state.exclusive === true ? [createPeopleSource(context, peopleOf(context, state))] : [],
    /** The creating request cannot contain members. */
    afterCreate: {
      args: ["members", "exclusive"] as const,
      async run(context: Context, remote: object, state: S) {
        if (state.exclusive !== true) return undefined;
        return { ...remote, members: await setMembers(context, peopleOf(context, state), nameOwner(state)) };
      },
    },
    /** Makes a change of the members, if there is one. Returns the changed fields of the object. */
    async update(context: Context, sent: object, state: S): Promise<{ members?: readonly Person[] }> {
      const isConcerned = "members" in sent || "exclusive" in sent;
      if (!isConcerned || state.exclusive !== true) return {};
      return { members: await setMembers(context, peopleOf(context, state), nameOwner(state)) };
    },
  };
}

function nameOwner(state: OwnsPeople & { readonly name?: unknown }): string {
  return `"${String(state.name)}"`;
}

/** The members of an object that owns them: the declared ones, and those who would be removed. */
function createPeopleSource(context: Context, people: People): SingleSource {
  const { list, desired, detail } = people;
  return {
    kind: "single",
    key: `${list.key}?owned`,
    madeOf: list.key,
    load: async () => {
      const members: Person[] = [];
      for (const person of await loadItems(context, list)) {
        const declared = desired.some(({ member }) => member === person.id);
        if (declared) members.push(detail ? await detail(person) : person);
        else if ((await findReasonToKeep(context, person.id)) === undefined)
          members.push(await withEmail(context, person));
      }
      return { members };
    },
  };
}

/** Adds the e-mail address where the list does not show it, since it says more than an id. */
async function withEmail(context: Context, person: Person): Promise<Person> {
  if (person.email !== undefined) return person;
  const email = (await loadItems(context, lists.members(context))).find(isPerson(person.id))?.email;
  return email === undefined ? person : { ...person, email };
}
