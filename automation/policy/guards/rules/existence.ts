/** Guards: a plan changes what the token perhaps does not see, or deletes what others still use. */
import { formatCount } from "../../../../diff/format-count.js";
import type { Guard } from "../types.js";

export const perhapsHidden: Guard = {
  code: "perhaps-hidden",
  refuses:
    "A change of an object, or of what it contains, that is perhaps hidden from the token: the service does not show it, and the token's user is no administrator.",
  settings: "the token of an administrator",
  judge({ objects, hidden = [] }) {
    const isConcerned = (name: string) => hidden.some((one) => name === one || name.startsWith(`${one}/`));
    const found = objects.filter(({ operation, name }) => operation !== "same" && isConcerned(name));
    if (found.length === 0) return undefined;
    return {
      message: `${formatCount(found.length, "object")} would be changed that the token perhaps does not see`,
      objects: found.map(({ name }) => name),
      remedy: "the token of a workspace administrator",
    };
  },
};

export const usedObject: Guard = {
  code: "used-object",
  refuses:
    "The deletion of an object that others still use, which the service refuses: a permission set of a project member.",
  settings: "the use in the service, or `retain: true` of the entry",
  judge({ uses = [] }) {
    if (uses.length === 0) return undefined;
    const used = uses.map(({ name, by }) => `${name} by ${by.join(", ")}`);
    return {
      message: `what others still use would be deleted: ${used.join("; ")}`,
      objects: uses.map(({ name }) => name),
      remedy:
        "end these uses in the service (give each of these members another permission set, or remove them), or keep the object with retain: true",
    };
  },
};
