/** The report of an export: the files and what they lack. */
import { z } from "zod";
import type { Gap } from "../../provider/index.js";
import { chooseVariableFor } from "../../trust/variables.js";
import { count, runHead, runParts } from "../report/report-schemas.js";
import type { Needed } from "./written-values.js";

export const exportReportSchema = z
  .strictObject({
    ...runParts(1),
    workspace: z.string().describe("Domain of the workspace."),
    address: z.string().describe("Address of the workspace."),
    complete: z.boolean().describe("Whether everything could be read, and the files declare all of it."),
    objects: count.describe("Number of objects that were read."),
    files: z
      .array(
        z.strictObject({
          path: z.string(),
          text: z.string(),
          written: z.boolean().describe("false: only the text was made."),
        }),
      )
      .describe("The files that are new or have changed."),
    variables: z
      .array(
        z.strictObject({
          name: z.string().describe("The environment variable."),
          uses: z.array(
            z.strictObject({
              name: z.string().describe("Logical name of the object."),
              argument: z.string(),
            }),
          ),
        }),
      )
      .describe("Values to set before the files are used, because no file should contain them."),
    missing: z
      .array(
        z.strictObject({
          type: z.string().describe("Resource type."),
          name: z.string().optional().describe("The object, or its parent; absent for the workspace."),
          reason: z.string(),
        }),
      )
      .describe("What could not be read."),
    notWritten: z
      .array(z.string())
      .describe("Differences between an existing file and the workspace that are not in the files."),
  })
  .meta({
    title: "Report of an export",
    description: "What the export of the programmatic API returns. `workspacectl export` prints the file.",
  });

export type ExportReport = z.infer<typeof exportReportSchema>;

interface ExportFacts extends Pick<ExportReport, "workspace" | "address" | "objects" | "files"> {
  readonly began: number;
  readonly gaps: readonly Gap[];
  readonly needed: readonly Needed[];
  readonly notWritten?: readonly string[];
}

export function createExportReport({
  began,
  gaps,
  needed,
  notWritten = [],
  ...facts
}: ExportFacts): ExportReport {
  return {
    ...runHead(1, Date.now() - began),
    ...facts,
    complete: gaps.length + notWritten.length === 0,
    variables: needed.map(({ variable, name, arg, also }) => ({
      name: chooseVariableFor(variable),
      uses: [{ name, arg }, ...also].map((use) => ({ name: use.name, argument: use.arg })),
    })),
    missing: gaps.map(({ type, name, reason }) => ({
      type,
      ...(name === undefined ? {} : { name }),
      reason,
    })),
    notWritten: [...notWritten],
  };
}
