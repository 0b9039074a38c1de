/** Tests the types of the service's objects. */
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

/* Lets the compiler check the types. */

it("fields that identify an object are required; others may be absent or null", () => {
  expectTypeOf<Variable["id"]>().toEqualTypeOf<number>();
  expectTypeOf<Variable["key"]>().toEqualTypeOf<string>();
  expectTypeOf<Variable["value"]>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Pipeline["trigger_mode"]>().toEqualTypeOf<
    "MANUAL" | "SCHEDULED" | "ON_EVERY_PUSH" | null | undefined
  >();
  expectTypeOf<Pipeline["actions"]>().toEqualTypeOf<Action[] | null | undefined>();
});

it("unknown fields have the type unknown", () => {
  expectTypeOf<Action["execute_commands"]>().toEqualTypeOf<unknown>();
  expectTypeOf<ActionCreate["execute_commands"]>().toEqualTypeOf<unknown>();
});

it("lists are iterables of summaries", () => {
  expectTypeOf<ReturnType<Client["projects"]["list"]>>().toEqualTypeOf<Listing<ProjectSummary>>();
  expectTypeOf<Listing<ProjectSummary>>().toExtend<AsyncIterable<ProjectSummary>>();
});

it("bodies have the enumerations of the specification", () => {
  expectTypeOf<{ name: string; ref_name: string; trigger_mode: "SOMETIMES" }>().not.toExtend<
    Parameters<Client["pipelines"]["create"]>[2]
  >();
  expectTypeOf<{ operation: "PAUSE" }>().not.toExtend<Parameters<Client["executions"]["update"]>[4]>();
});
