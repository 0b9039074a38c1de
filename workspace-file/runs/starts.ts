/** Which events start a pipeline: only what the specification says. */
import type { Fields } from "../../resources/index.js";
import { findCostlyPattern } from "../document/costly-pattern.js";

/** What may start a pipeline. */
export type StartEvent =
  | { readonly kind: "push"; readonly ref: "branch" | "tag"; readonly name: string }
  | { readonly kind: "schedule" }
  | { readonly kind: "manual" };

export type Certainty = "yes" | "no" | "not known";

export interface Start {
  readonly starts: Certainty;
  /** Condition, or the reason why it is not known. */
  readonly note?: string;
}

const NO: Start = { starts: "no" };
const createUnknownStart = (note: string): Start => ({ starts: "not known", note });

/** Reports whether an event starts a pipeline with these arguments. */
export function decideStart(pipeline: Fields, event: StartEvent): Start {
  const mode = pipeline["triggerMode"];
  if (event.kind === "manual") return { starts: "yes" };
  if (mode === "MANUAL") return NO;
  if (mode === "SCHEDULED") return event.kind === "schedule" ? decideSchedule(pipeline) : NO;
  if (mode === "ON_EVERY_PUSH") return event.kind === "push" ? decidePush(pipeline, event) : NO;
  return createUnknownStart("its trigger mode is not known");
}

function decideSchedule({ paused, runAlways }: Fields): Start {
  if (paused === true) return NO;
  if (paused !== false && paused != null) return createUnknownStart("it is not known whether it is paused");
  if (runAlways === true) return { starts: "yes", note: "only if the branch has changed since the last run" };
  return { starts: "yes" };
}

function decidePush(
  { refType, refName }: Fields,
  { ref, name }: Extract<StartEvent, { kind: "push" }>,
): Start {
  if (typeof refName !== "string" || refName.includes("${"))
    return createUnknownStart("its ref is not known");
  const isSame = refName === name;
  // A full name, as Git and other services write it.
  if (refType !== "PULL_REQUEST" && refName.startsWith("refs/"))
    return createUnknownStart("the specification does not say whether a name may begin with refs/");
  switch (refType) {
    case "BRANCH":
    case "TAG":
      return { starts: isSame && refType === ref.toUpperCase() ? "yes" : "no" };
    case "WILDCARD": {
      const covers = matchWildcard(refName, name);
      if (covers === "yes" && ref === "tag")
        return createUnknownStart(
          "the specification does not say whether a push of a tag starts a wildcard pipeline",
        );
      if (covers !== "not known") return { starts: covers };
      return createUnknownStart(`the specification does not say what the wildcard ${refName} matches`);
    }
    case "PULL_REQUEST":
      return createUnknownStart("the specification does not say which push belongs to a pull request");
    case "NONE":
      return createUnknownStart("the specification does not say what a push means without a ref");
    default:
      if (!isSame && matchWildcard(refName, name) === "no") return NO;
      return createUnknownStart("the file does not say whether its ref is a branch, a tag or a wildcard");
  }
}

/** Signs that have a meaning in some languages of patterns. */
const SPECIAL = /[?[\]{}\\()|^$]|^!/;

/**
 * Reports whether a wildcard covers a name. The specification does not say whether a star covers a slash, and which other signs are
 * special: the answer is certain where all readings agree.
 */
export function matchWildcard(pattern: string, name: string): Certainty {
  const start = pattern.search(/[*?[\]{}\\!+@()|^$]/);
  if (start < 0) return pattern === name ? "yes" : "no";
  if (!pattern.startsWith("!") && !name.startsWith(pattern.slice(0, start))) return "no";
  if (SPECIAL.test(pattern) || findCostlyPattern(pattern) !== undefined) return "not known";
  const matches = (star: string) => {
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    return new RegExp(`^${parts.join(star)}$`, "s").test(name);
  };
  if (!matches(".*")) return "no";
  return matches("[^/]*") ? "yes" : "not known";
}
