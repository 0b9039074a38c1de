/** Describes triggers and conditions in plain words. */
import type { Fields } from "../../../provider/index.js";

/** Describes the trigger of a pipeline: `on every push to main`, `cron 0 2 * * * on main`. */
export function triggerOf(args: Fields): string {
  const text = (name: string) =>
    typeof args[name] === "string" || typeof args[name] === "number" ? `${args[name]}` : "";
  const ref = text("refName") && `${refWords[text("refType")] ?? ""}${text("refName")}`;
  switch (text("triggerMode")) {
    case "ON_EVERY_PUSH":
      return ["on every push", ref && `to ${ref}`].filter(Boolean).join(" ");
    case "SCHEDULED": {
      const times = text("cron") ? `cron ${text("cron")}` : `scheduled with delay ${text("delay")}`;
      return [times, ref && `on ${ref}`, args["paused"] === true && "(paused)"].filter(Boolean).join(" ");
    }
    case "MANUAL":
      return ["by hand", ref && `on ${ref}`].filter(Boolean).join(" ");
    default:
      return [humanReadable(text("triggerMode")), ref].filter(Boolean).join(" ");
  }
}

const refWords: Readonly<Record<string, string>> = {
  TAG: "tag ",
  WILDCARD: "refs like ",
  PULL_REQUEST: "pull request ",
};

/** Describes when an action runs; undefined for every execution. */
export function conditionOf(args: Fields): string | undefined {
  const { triggerTime, runOnlyOnFirstFailure, disabled } = args;
  if (disabled === true) return "disabled";
  if (typeof triggerTime !== "string" || triggerTime === "ON_EVERY_EXECUTION") return undefined;
  return humanReadable(triggerTime) + (runOnlyOnFirstFailure === true ? " (first only)" : "");
}

/** `READ_ONLY` as `read only`. */
export function humanReadable(word: string): string {
  return word.toLowerCase().replaceAll("_", " ");
}
