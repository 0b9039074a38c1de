/** Compares a value of the service with the declared one, part by part, and separates the service's own additions. */
import { isRecord } from "../../diff/structural-diff.js";
import { isSameNested } from "../../diff/values.js";
import type { PropertyPath } from "./problems.js";

/**
 * How the parts of a nested value are compared.
 * - whole: every part is declared. Any other part is an outside change.
 * - view: the service may complete the objects in it. Its additions from the time of the write belong to the value.
 * - named: a map with the user's own keys, which are compared as a whole. Each value is a view.
 * - fields: a view whose keys are mixed with those of other arguments, so that only declared keys are compared.
 */
export type NestedForm = "whole" | "view" | "named" | "fields";

/** The form in which the service showed an argument when it was written, where that is not literally the declared value. */
export interface WrittenForm {
  /** False when no response was compared: the value was adopted, or written by an earlier release. */
  readonly known: boolean;
  readonly form: unknown;
}

export interface Reduced {
  /** The shown value, without additions that belong to the declared value. */
  readonly value: unknown;
  /** Parts that were not compared. */
  readonly notCompared: readonly PropertyPath[];
}

/**
 * The shown value without the service's own additions: it differs from the declared value only where something was changed.
 * @param whole whether the object was read as a whole, so that a missing part is not set
 */
export function reduceShown(
  form: NestedForm,
  declared: unknown,
  shown: unknown,
  written: WrittenForm,
  whole: boolean,
): Reduced {
  const notCompared: PropertyPath[] = [];
  const value = reduce(declared, shown, written.form, form, []);
  return { value, notCompared };

  function reduce(own: unknown, shown: unknown, base: unknown, at: NestedForm, path: PropertyPath): unknown {
    if (isNothing(shown) && (isEmpty(own) || own === false)) return own;
    if (Array.isArray(own) && Array.isArray(shown)) {
      const before = Array.isArray(base) ? (base as readonly unknown[]) : [];
      return shown.map((item, i) =>
        i < own.length ? reduce(own[i], item, before[i], at, [...path, i]) : (item as unknown),
      );
    }
    if (!isRecord(own) || !isRecord(shown)) return shown;
    const before = isRecord(base) ? base : {};
    const inner = at === "named" || at === "fields" ? "view" : at;
    const parts: [string, unknown][] = [];
    for (const key of new Set([...Object.keys(own), ...Object.keys(shown)])) {
      const here = [...path, key];
      const [was, is, then] = [get(own, key), get(shown, key), get(before, key)];
      if (Object.hasOwn(own, key)) {
        if (is !== undefined) parts.push([key, reduce(was, is, then, inner, here)]);
        else if (isEmpty(was) || isHiddenPart(at, path, then, here)) parts.push([key, was]);
      } else if (!isNothing(is) && !isAddition(at, is, then, here)) parts.push([key, is]);
    }
    return Object.fromEntries(parts);
  }

  /** Whether a declared part is missing because the service never returns it, or because this read did not show it. */
  function isHiddenPart(at: NestedForm, path: PropertyPath, then: unknown, here: PropertyPath): boolean {
    if (at === "whole" || at === "named") return false;
    if (written.known) {
      if (then === undefined && written.form !== null) return true;
      if (whole || path.length > 0) return false;
    } else if (at !== "fields") return false;
    notCompared.push(here);
    return true;
  }

  /** Whether the service itself added the part when the value was written. */
  function isAddition(at: NestedForm, is: unknown, then: unknown, here: PropertyPath): boolean {
    if (at === "whole" || at === "named") return false;
    if (written.known) return then !== undefined && isSameNested(is, then);
    notCompared.push(here);
    return true;
  }
}

/** Declared parts that the service did not show when the value was written, and so never shows. */
export function listNeverReturned(declared: unknown, form: unknown, path: PropertyPath): PropertyPath[] {
  if (Array.isArray(declared) && Array.isArray(form))
    return declared.flatMap((item, i) => listNeverReturned(item, form[i], [...path, i]));
  if (!isRecord(declared) || !isRecord(form)) return [];
  return Object.entries(declared).flatMap(([key, value]) => {
    if (Object.hasOwn(form, key)) return listNeverReturned(value, form[key], [...path, key]);
    return isEmpty(value) ? [] : [[...path, key]];
  });
}

/** Whether a value is empty. The service shows null for an empty field (spec, General conventions). */
function isEmpty(value: unknown): boolean {
  if (isNothing(value) || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Reads own properties only, because a key may be `constructor`. */
function get(map: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
