/** What an assumption consists of, and the groups that they come in. */
import type { Behavior } from "./behavior.js";

/** How a probe finds out whether an assumption holds. */
export interface Check {
  /** The requests, as they are sent. */
  readonly requests: readonly string[];
  /** Whether it needs an object that it may change (`probe --write`). */
  readonly writes: boolean;
  /** What is removed afterwards. */
  readonly undo?: string;
}

/** Something that the specification of the service leaves open, and what we take for granted. */
export interface Assumption<Id extends string = string> {
  readonly id: Id;
  /** Its subject, in a few words. */
  readonly title: string;
  /** What we assume. */
  readonly assumed: string;
  readonly why: string;
  /** What depends on it. */
  readonly affects: string;
  /** How it is checked, or why it cannot be. */
  readonly check: Check | { readonly impossible: string };
  /** The setting of the emulator and of the profile that corresponds. */
  readonly behavior?: keyof Behavior;
  /** What the provider and the command do where it does not hold. */
  readonly otherwise: string;
}

/** A subject, with its assumptions. */
export interface AssumptionGroup<Id extends string = string> {
  readonly title: string;
  readonly assumptions: readonly Assumption<Id>[];
}

/** Declares a group, and infers the ids of its assumptions. */
export function defineGroup<const Id extends string>(
  title: string,
  assumptions: readonly Assumption<Id>[],
): AssumptionGroup<Id> {
  return { title, assumptions };
}

export function isCheckable(check: Assumption["check"]): check is Check {
  return "requests" in check;
}
