import type { Fields } from "../fields.js";
import type { Scope } from "../scopes.js";
import { triggerTimes } from "../words.js";

/** One row of the spec's table of action types ("Actions"). The shared code asks it and never the type's name. */
export interface ActionType {
  readonly type: string;
  /** For people: which variant of the type this is. */
  readonly title: string;
  /** The field that tells the variants of a type apart, and its value here; null means absent is meant too. */
  readonly variant?: { readonly field: string; readonly value: string; readonly orAbsent?: boolean };
  /** Type-specific fields. */
  readonly fields: Fields;
  /** What a field not sent is answered as, where that is neither null nor (for booleans) false. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly triggerTimes: readonly string[];
  /** Whether ON_FAILURE requires run_only_on_first_failure. */
  readonly notifies: boolean;
  /** Scope to create one, beside WORKSPACE. */
  readonly createScope: Scope;
  readonly createStatus: 200 | 201;
  readonly createStatusField: "status" | "last_execution_status";
  /** Fields that the spec does not show are kept and echoed as sent. */
  readonly keepsOtherFields: boolean;
}

/** A row with the usual answers filled in. */
export function actionType(
  definition: Partial<ActionType> & Pick<ActionType, "type" | "title" | "fields">,
): ActionType {
  return {
    defaults: {},
    triggerTimes,
    notifies: false,
    createScope: "EXECUTION_MANAGE",
    createStatus: 201,
    createStatusField: "last_execution_status",
    keepsOtherFields: false,
    ...definition,
  };
}

// Shorthands of the tables.
export const required = { type: "string", required: true } as const;
export const optional = { type: "string" } as const;
export const requiredList = { type: "strings", required: true } as const;
export const list = { type: "strings" } as const;
export const flag = { type: "boolean" } as const;
export const number = { type: "integer" } as const;
export const secret = { type: "string", secret: true } as const;
export const requiredSecret = { type: "string", required: true, secret: true } as const;
/** A field whose shape the spec does not show: any JSON. */
export const opaque = { type: "any" } as const;
export const mode = (value: string) => ({ type: "string", required: true, values: [value] }) as const;
export const integrationById = {
  type: "object",
  fields: { id: { type: "integer", required: true } },
} as const;
