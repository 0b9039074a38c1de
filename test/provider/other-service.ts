/** The behavior of a service that contradicts what is assumed. */
import type { Behavior } from "../../assumptions/behavior.js";

/** A service that does everything in the other way, as far as the provider can adapt. It works with its profile only. */
export const otherService = {
  largePages: "refused",
  maxPerPage: 15,
  missingStatus: 400,
  clearedBy: "empty",
  encryptedValues: "changing",
  showSchedule: true,
  embeddedActions: "full",
  listedActions: "summary",
  embeddedActionStatusField: "status",
} as const satisfies Partial<Behavior>;
