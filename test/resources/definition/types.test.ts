/** Lets the compiler check resource files against their own schemas: `npm run typecheck` runs these tests. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { Group } from "../../../client/api/groups.js";
import type { UNKNOWN } from "../../../diff/values.js";
import {
  defineResource,
  htmlUrl,
  output,
  resolvedId,
} from "../../../resources/definition/define-resource.js";
import { createSingleSource } from "../../../resources/definition/lists.js";
import { id, nameOrId, text } from "../../../resources/definition/primitives.js";
import { memberReference, notSent } from "../../../resources/definition/references.js";

const args = {
  name: text.describe("Name."),
  ownerNote: text.nullable().optional().describe("Note."),
  color: z.enum(["RED", "BLUE"]).optional().describe("Color."),
  member: nameOrId.describe("A member."),
};
const shapes = {
  type: "Team",
  noun: "team",
  description: "A made-up type.",
  remote: Group,
  args,
  outputs: { teamId: output("id", id), memberId: resolvedId("Number of the member."), htmlUrl },
  references: { member: memberReference },
  apiFields: { member: notSent },
} as const;
const identity = {
  id: ["teamId"],
  identity: { state: "teamId", apiName: "id" },
  naturalKey: ["name"],
} as const;
const nothing = { examples: { create: {} }, delete: () => Promise.resolve() };

/** Is a complete definition, into which each test introduces its mistake. */
const whole = {
  ...shapes,
  ...identity,
  ...nothing,
  sources: () => [],
  create: () => Promise.resolve({}),
};

describe("a handler receives", () => {
  it("arguments with the types of their schemas, and the ids of resolved references", () => {
    defineResource({
      ...whole,
      create(_context, body, state) {
        expectTypeOf(state.name).toEqualTypeOf<string>();
        expectTypeOf(state.color).toEqualTypeOf<"RED" | "BLUE" | undefined>();
        expectTypeOf(state.memberId).toEqualTypeOf<number>();
        expectTypeOf(state.adopt).toEqualTypeOf<boolean | undefined>();
        expectTypeOf(body.name).toEqualTypeOf<string>();
        expectTypeOf(body.owner_note).toEqualTypeOf<string | undefined>();
        // @ts-expect-error There is no number before the creation.
        void state.teamId;
        // @ts-expect-error No such argument.
        void state.nmae;
        // @ts-expect-error The body has the names of the service.
        void body.ownerNote;
        // @ts-expect-error A path argument is not sent.
        void body.member;
        return Promise.resolve({});
      },
    });
  });

  it("outputs too, once the object exists", () => {
    defineResource({
      ...whole,
      sources(_context, state, list) {
        expectTypeOf(state.teamId).toEqualTypeOf<number>();
        expectTypeOf(state.htmlUrl).toEqualTypeOf<string>();
        // @ts-expect-error No such output.
        void state.teamIdd;
        return [...list, createSingleSource(`teams/${state.teamId}`, () => Promise.resolve({}))];
      },
      update(_context, body, _state, { olds, news, changed }) {
        expectTypeOf(body.owner_note).toEqualTypeOf<string | null | undefined>();
        expectTypeOf(olds.teamId).toEqualTypeOf<number | undefined>();
        expectTypeOf(news.color).toEqualTypeOf<"RED" | "BLUE" | typeof UNKNOWN | null | undefined>();
        // @ts-expect-error No such argument.
        void changed.includes("hue");
        // @ts-expect-error No such value.
        void (news.color === "GREEN");
        return Promise.resolve({});
      },
    });
  });

  it("the remote object with the client's type", () => {
    defineResource({
      ...whole,
      matches(remote, state) {
        expectTypeOf(remote.name).toEqualTypeOf<string>();
        expectTypeOf(remote.description).toEqualTypeOf<string | null | undefined>();
        // @ts-expect-error No such field of the service.
        void remote.title;
        return remote.name === state.name;
      },
    });
  });
});

describe("the compiler refuses", () => {
  it("a name that is not an argument", () => {
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      replaceOn: ["nmae"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      naturalKey: ["nmae"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      sets: ["nmae"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      writeOnly: () => ["nmae"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      forceSend: () => ["nmae"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      apiFields: { nmae: notSent },
    });
    defineResource({
      ...whole,
      rules(written, problem) {
        // @ts-expect-error No such name.
        if (written.nmae === undefined) problem("nmae", "is required", "required");
      },
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      document: { section: "teams", under: { workspace: null }, keyedBy: "nmae", form: "map" },
    });
  });

  it("a part of the id, or an identity, that is neither an argument nor an output", () => {
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      id: ["teamIdd"],
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      identity: { state: "teamIdd", apiName: "id" },
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      identity: { state: "teamId", apiName: "number" },
    });
  });

  it("a reference that is not an argument, or that copies to none", () => {
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      references: { members: memberReference },
    });
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      references: { member: { to: "WorkspaceMember", copies: { memberName: "name" } } },
    });
  });

  it("an output of a field that the service does not return", () => {
    defineResource({
      ...whole,
      // @ts-expect-error No such name.
      outputs: { ...shapes.outputs, teamId: output("number", id) },
    });
  });
});

it("a complete definition contains the defaults of omitted properties", () => {
  const definition = defineResource({ ...whole, secret: ["ownerNote"], clientOnly: ["color"] });
  expect(Object.keys(definition.args.shape)).toEqual([...Object.keys(args), "workspace", "adopt"]);
  expect(definition.secret({})).toEqual(["ownerNote"]);
  expect(definition.forceSend({})).toEqual([]);
  expect(definition.clientOnly).toEqual(["adopt", "color"]);
  expect(definition).not.toHaveProperty("remote");
});
