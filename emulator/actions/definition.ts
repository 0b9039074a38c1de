/** What an action type declares. */
import { z } from "zod";
import { type Scope, triggerTimes } from "../enums.js";
import { type Fields, integer, nonBlank, textList } from "../fields.js";

/**
 * Action type: one row of the spec's table ("Actions"). Shared code reads these properties and never the type's name.
 */
export interface ActionType {
  readonly type: string;
  /** Title of the variant for people. */
  readonly title: string;
  /**
   * Field that distinguishes the variants of a type, and its value in this variant, which becomes the first of `fields`.
   * `orAbsent`: also the variant without the field.
   */
  readonly variant?: { readonly field: string; readonly value: string; readonly orAbsent?: boolean };
  /** Fields of this type. */
  readonly fields: Fields;
  /** Values returned for fields that were not sent, where they are not null. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly triggerTime: z.ZodType;
  /** Whether ON_FAILURE requires `run_only_on_first_failure`. */
  readonly notifies: boolean;
  /** Scope that creating an action requires besides WORKSPACE. */
  readonly createScope: Scope;
  readonly createStatus: 200 | 201;
  readonly createStatusField: "status" | "last_execution_status";
  /** Stores and returns fields that the spec does not show as they were sent. */
  readonly acceptsOtherFields: boolean;
}

/** Defines an action type, with the usual values as defaults. */
export function defineActionType({
  fields,
  ...definition
}: Partial<ActionType> & Pick<ActionType, "type" | "title" | "fields">): ActionType {
  const { variant } = definition;
  const value = variant && z.enum([variant.value]);
  return {
    defaults: {},
    triggerTime: z.enum(triggerTimes),
    notifies: false,
    createScope: "EXECUTION_MANAGE",
    createStatus: 201,
    createStatusField: "last_execution_status",
    acceptsOtherFields: false,
    ...definition,
    fields:
      variant && value ? { [variant.field]: variant.orAbsent ? value.nullish() : value, ...fields } : fields,
  };
}

// Fields that several action types share.
export const required = nonBlank;
export const optional = nonBlank.nullish();
export const requiredList = textList.min(1);
export const list = textList.nullish();
export const optionalFlag = z.boolean().nullish();
export const number = integer.nullish();
/** Field whose shape the spec does not show. */
export const opaque = z.unknown().optional();
export const integrationById = z.object({ id: integer });
