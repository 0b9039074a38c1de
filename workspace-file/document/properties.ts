/** Properties of a workspace file and of its entries, besides the arguments of resources. */
import { z } from "zod";
import { choice, text } from "../../resources/definition/primitives.js";
import type { ProviderEngine } from "../../resources/definition/provider-engine.js";
import { guardSettings } from "./guard-settings.js";

/** Properties of the file itself. */
export const documentHead = {
  version: z
    .literal(1)
    .describe("Version of the file format: always 1.")
    .meta({ examples: [1] }),
  workspace: text
    .optional()
    .describe(
      "Domain of the workspace, as in its address, without placeholders. Default: the connection's workspace.",
    )
    .meta({ examples: ["acme"] }),
  adopt: z
    .boolean()
    .optional()
    .describe("Adopt existing objects with the declared names. An entry's own `adopt` takes precedence.")
    .meta({ default: false }),
  connection: text
    .optional()
    .describe(
      "Name of the connection, without placeholders: which service to use, and as which user. The stack's configuration may set it instead.",
    )
    .meta({ examples: ["us", "eu"] }),
  stack: text
    .max(100)
    .regex(/^[\w.-]+$/, "must be a name of letters, digits, _, - and .")
    .optional()
    .describe(
      "Pulumi stack of the file, without placeholders. `--stack` and PULUMI_STACK take precedence. Only the workspace file itself may set it.",
    )
    .meta({ examples: ["us"] }),
  engine: choice({
    dynamic: "Dynamic providers: the resource types of TypeScript programs.",
    plugin: "The packaged plugin: resource types that every Pulumi language shares.",
  } satisfies Record<ProviderEngine, string>)
    .optional()
    .describe(
      "Engine of the resources: `dynamic` providers, or the packaged `plugin`. Default: the engine of the state.",
    )
    .meta({ examples: ["plugin"] }),
  owns: z
    .array(text)
    .min(1)
    .optional()
    .describe(
      "What this file owns of a workspace that several files share, by patterns of logical names: `*` within one part, `**` over several. It must not declare anything else, and ignores all other objects.",
    )
    .meta({ examples: [["projects/web/**", "groups/web-*/**"]] }),
  guards: guardSettings
    .optional()
    .describe(
      "What must not happen by accident. A plan that would do it is refused before anything is changed.",
    )
    .meta({ examples: [{ maxDeletes: 10, minimumAdmins: 2 }] }),
};

/** Properties of the file that control how the document is composed. */
export const documentReuse = {
  include: z
    .union([z.array(text), text])
    .describe(
      "Other files of the same document, relative to this one. A pattern that finds nothing is an error.",
    )
    .meta({ examples: [["teams/*.yaml", "templates.yaml"]] }),
  templates: z
    .record(z.string(), z.unknown())
    .describe("Entries with parameters, by name: an entry uses one with `template` and `with`.")
    .meta({ examples: [{}] }),
  defaults: z
    .record(z.string(), z.unknown())
    .describe("Default arguments for every entry of a type. The entry and its template override them.")
    .meta({ examples: [{ Pipeline: { refType: "BRANCH", refName: "main" } }] }),
};

/** Properties that an entry of any kind may have besides its arguments. */
export const entryWords = {
  external: z
    .literal(true)
    .describe(
      "The object exists and is managed elsewhere: it may be referred to, and is never changed or deleted.",
    ),
  retain: z
    .boolean()
    .describe(
      "When the entry is removed, keep the object and everything in it instead of deleting them. Default: the setting of the containing entry.",
    ),
  previously: z
    .array(text)
    .min(1)
    .describe("Keys this entry had before, so that a new key renames instead of replaces.")
    .meta({ examples: [["old-name"]] }),
  protect: z.boolean().describe("Refuse to delete the object. Default: true for projects, false for others."),
  ignoreChanges: z
    .array(text)
    .min(1)
    .describe(
      "Properties that are set when the object is created, and not changed or watched afterwards, as in Pulumi: `description`, `variables.TIER`, `headers[0].value`, `variables.*`.",
    )
    .meta({ examples: [["description"]] }),
};

/** Properties that only an item of a list may have, since a map provides the key. */
export const listWords = {
  key: text
    .describe("Key of the entry, which stays when its name is changed. Default: its name.")
    .meta({ examples: ["build"] }),
};

/** Properties of an entry that uses a template. */
export const reuseWords = {
  template: text
    .describe("Name of the template that the entry is made from. The entry's own arguments take precedence.")
    .meta({ examples: ["node-service"] }),
  with: z
    .record(z.string(), z.unknown())
    .describe("Values of the template's parameters, by name.")
    .meta({ examples: [{ service: "api" }] }),
};

/** Properties of a new list item in an overlay that determine its position. */
export const overlayPlaces = {
  $after: text.describe("Key of the item that this one comes directly after.").meta({ examples: ["Build"] }),
  $before: text
    .describe("Key of the item that this one comes directly before.")
    .meta({ examples: ["Build"] }),
};
