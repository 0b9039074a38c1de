import { expectTypeOf, it } from "vitest";
import type {
  Action,
  ActionCreate,
  Listing,
  Pipeline,
  ProjectSummary,
  Variable,
  WorkspaceAutomationClient as Client,
} from "../../client/index.js";

/* What the types promise; checked by the compiler. */

it("fields that identify an object are there; others may be absent, or null when empty", () => {
  expectTypeOf<Variable["id"]>().toEqualTypeOf<number>();
  expectTypeOf<Variable["key"]>().toEqualTypeOf<string>();
  expectTypeOf<Variable["value"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Pipeline["trigger_mode"]>().toEqualTypeOf<
    "MANUAL" | "SCHEDULED" | "ON_EVERY_PUSH" | null | undefined
  >();
  expectTypeOf<Pipeline["actions"]>().toEqualTypeOf<Action[] | null | undefined>();
});

it("unknown fields are kept, as unknown", () => {
  expectTypeOf<Action["execute_commands"]>().toEqualTypeOf<unknown>();
  expectTypeOf<ActionCreate["execute_commands"]>().toEqualTypeOf<unknown>();
});

it("lists give summaries, to be iterated", () => {
  expectTypeOf<ReturnType<Client["projects"]["list"]>>().toEqualTypeOf<Listing<ProjectSummary>>();
  expectTypeOf<Listing<ProjectSummary>>().toExtend<AsyncIterable<ProjectSummary>>();
});

it("bodies know the words of the specification", () => {
  expectTypeOf<{ name: string; ref_name: string; trigger_mode: "SOMETIMES" }>().not.toExtend<
    Parameters<Client["pipelines"]["create"]>[2]
  >();
  expectTypeOf<{ operation: "PAUSE" }>().not.toExtend<Parameters<Client["executions"]["update"]>[4]>();
});
