/** Cases of lint rules: documents, and what the rules find in them. */
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { text } from "../../provider/definition/primitives.js";
import { getLocation, getPositionAt, type Location } from "../../workspace-file/index.js";
import { readText, refuseOutsideCheckout } from "../../trust/checkout-files.js";
import { parseFile } from "./parse.js";

export const lintCasesSchema = z
  .strictObject({
    version: z.literal(1).describe("Version of the file format: always 1."),
    cases: z
      .array(
        z.strictObject({
          name: text.describe("What the case shows."),
          document: z
            .union([text, z.record(z.string(), z.unknown())])
            .describe("Path of a workspace file, relative to this file; or its contents."),
          findings: z
            .array(
              z.strictObject({
                code: text.describe("Code of the rule.").meta({ examples: ["acme/pinned-images"] }),
                at: text
                  .describe("Path in the document; empty for the document as a whole.")
                  .meta({ examples: ["projects.web.pipelines.deploy.actions[0].executeCommands[2]"] }),
                message: text.optional().describe("Message of the finding. Default: any."),
              }),
            )
            .describe("All findings of the rules in the document."),
        }),
      )
      .describe("The cases."),
  })
  .meta({ title: "Cases of lint rules", description: "What `workspacectl rules test` checks." });

export type ExpectedFinding = z.infer<typeof lintCasesSchema>["cases"][number]["findings"][number];

export interface LintCase {
  readonly name: string;
  readonly place: Location;
  /** File of the document, or `-` for one that is written out. */
  readonly file: string;
  /** Text of a document that is written out. */
  readonly text: string | undefined;
  readonly findings: readonly ExpectedFinding[];
}

/** @throws {WorkspaceFileError} with all problems of the file */
export function readCases(file: string): LintCase[] {
  const { data, tree } = parseFile(lintCasesSchema, file, readText(file, { named: true }));
  return data.cases.map(({ name, document, findings }, index) => {
    const place = getLocation(getPositionAt(tree, ["cases", index]));
    const isFile = typeof document === "string";
    if (isFile) refuseOutsideCheckout(join(dirname(file), document), document, file);
    return {
      name,
      place,
      findings,
      file: isFile ? join(dirname(file), document) : "-",
      text: isFile ? undefined : stringify(document, { aliasDuplicateObjects: false }),
    };
  });
}
