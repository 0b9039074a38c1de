/** What we assume of values that the service stores and returns. */
import { defineGroup } from "./assumption.js";

const undo = "the variable, with the scratch project";

export const valueAssumptions = defineGroup("Values", [
  {
    id: "encrypted-values",
    title: "An encrypted value in a response",
    assumed: "The text after `secure!` stays the same while the value does, and changes with it.",
    why: "The specification calls it opaque.",
    affects: "Drift of encrypted variables: a changed text is the only sign of a change.",
    check: {
      requests: ["GET .../variables/:id twice"],
      writes: false,
      undo,
    },
    behavior: "encryptedValues",
    otherwise: "Encrypted values are reported as not verifiable.",
  },
  {
    id: "cleared-text",
    title: "A cleared text",
    assumed: "Null in a PATCH clears a text.",
    why: "The specification sends null for what is not to be set, and refuses empty values.",
    affects: "A description or another text whose declaration is removed.",
    check: {
      requests: ["PATCH .../variables/:id description null", "GET .../variables/:id"],
      writes: true,
      undo,
    },
    behavior: "clearedBy",
    otherwise: "An empty text is sent instead.",
  },
  {
    id: "unknown-fields",
    title: "A field that the service does not know",
    assumed: "It is ignored.",
    why: "The specification names no error for it.",
    affects: "Undocumented fields, such as `cron` in a PATCH.",
    check: { requests: ["POST .../variables with one field more"], writes: true, undo },
    behavior: "strictBodies",
    otherwise: "The service's message is shown. Nothing undocumented is sent unless you declare it.",
  },
  {
    id: "added-values",
    title: "What the service adds to a value",
    assumed: "What is added in the response to a write belongs to the value. Everything else is drift.",
    why: "The specification does not describe these values.",
    affects: "`services`, `mcpServers` and `fields` of actions.",
    check: { impossible: "it depends on the value" },
    otherwise: "The next refresh reports a difference, and `ignoreChanges` silences it.",
  },
]);
