/** What several reports consist of: their schemas and the head of each, and the schemas of problems in a file and of errors. */
import { z } from "zod";
import { jsonValue } from "../../text/json-value.js";
import { formatJson } from "../../text/safe-text.js";
import { readVersion as toolVersion } from "../../toolchain/locations.js";

export const place = z
  .strictObject({
    file: z.string().describe("Path of the file, as given to the command."),
    line: z.int().describe("Line, from 1."),
    column: z.int().describe("Column, from 1."),
  })
  .describe("Where it is declared.");

export const count = z.int().min(0);

export const object = {
  type: z.string().describe("Resource type, such as Group."),
  name: z.string().describe("Logical name, such as groups/QA."),
};

/** The stack of a report. */
export const stackParts = {
  workspace: z.string().describe("Domain of the workspace."),
  baseUrl: z.string().describe("Address of the service."),
  stack: z.string().describe("The Pulumi stack."),
};

/** The first properties of every report. */
export function reportParts<const V extends number>(version: V) {
  return {
    version: z.literal(version).describe("Version of this format: see docs/reports.md."),
    tool: z.strictObject({ name: z.literal("workspacectl"), version: z.string() }),
  };
}

/** Describes the run. */
export function runParts<const V extends number>(version: V) {
  return {
    ...reportParts(version),
    generatedAt: z.string().describe("When it was created, ISO 8601 in UTC."),
    seconds: z.number().describe("How long it took."),
  };
}

/** A value of a finding. Inside the command, it may contain anything that becomes a mark. */
export const value = (jsonValue as z.ZodType<unknown>).optional();

/** Properties of every finding (diff/finding.ts). */
export function defineFindingParts<const C extends readonly string[]>(classes: C) {
  return {
    id: z.string().describe("Identifies the finding; the same in every run."),
    class: z.enum(classes).describe("What kind of finding it is."),
    type: z.string().describe("Resource type, such as Group."),
    path: z
      .string()
      .describe("The property, such as executeCommands[1]; empty when the whole object is concerned."),
    pathParts: z.array(z.union([z.string(), z.int()])).describe("The path in parts."),
    secret: z.boolean().describe("The values are secret."),
    note: z.string().optional().describe("Further notes."),
  };
}

/** Properties of everything that could not be read. */
export const unreadParts = {
  type: z.string().describe("Resource type of what could not be read."),
  reason: z.string().describe("Why."),
  scopes: z.array(z.string()).optional().describe("Scopes that the token needs for it."),
};

const warningSchema = z.strictObject({
  code: z
    .enum(["ignore-expired", "ignore-unused", "killed-run", "other-workspace", "perhaps-hidden", "engine"])
    .describe("What kind of warning it is."),
  message: z.string(),
  place: place.optional(),
});
export type Warning = z.infer<typeof warningSchema>;

/** Properties of every report about findings. @param file `ignore file`: where its suppressions come from */
export function defineResultParts<
  const C extends readonly string[],
  F extends z.ZodType,
  U extends z.ZodType,
>(parts: { readonly classes: C; readonly finding: F; readonly unread: U; readonly file: string }) {
  const { classes, finding, unread, file } = parts;
  const suppressed = z.strictObject({
    finding,
    reason: z.string().describe(`The reason that the ${file} gives.`),
    expires: z.string().optional().describe("The last day on which it is ignored."),
    place: place.optional().describe(`Where the ${file} says so.`),
  });
  return {
    complete: z.boolean().describe("Whether everything could be read."),
    failOn: z.array(z.enum(classes)),
    findings: z.array(finding),
    ignored: z.array(suppressed).describe(`Findings that the ${file} suppresses.`),
    incomplete: z.array(unread).describe("What could not be read."),
    warnings: z.array(warningSchema),
    notWatched: z
      .array(
        z.strictObject({
          type: z.string().describe("Resource type."),
          name: z.string().describe("Logical name."),
          paths: z.array(z.string()).describe("The properties."),
        }),
      )
      .optional()
      .describe("Properties that are not watched, since `ignoreChanges` names them."),
    fingerprint: z
      .string()
      .describe(
        "Fingerprint of the findings and of what could not be read: equal findings have equal fingerprints.",
      ),
    changedSinceLast: z
      .boolean()
      .optional()
      .describe("With --state-file: whether the findings have changed since the last run."),
  };
}

export const diagnosticsReportSchema = z
  .strictObject({
    ...reportParts(1),
    file: z.string().describe("Path of the file, as given to the command."),
    valid: z.boolean().describe("There are no errors."),
    workspace: z.string().optional().describe("The workspace that a valid file names (`validate`)."),
    objects: z
      .record(z.string(), count)
      .optional()
      .describe("Number of declared objects of each kind (`validate`, if the file is valid)."),
    counts: z.strictObject({ error: count, warning: count, info: count }),
    problems: z.array(
      z.strictObject({
        code: z.string().describe("The code of the problem; it never changes its meaning."),
        severity: z.enum(["error", "warning", "info"]),
        message: z.string(),
        file: z.string().describe("Path of the file, as given to the command."),
        line: z.int().describe("Line, from 1."),
        column: z.int().describe("Column, from 1."),
      }),
    ),
  })
  .meta({
    title: "Problems in a file",
    description: "What `workspacectl validate` and `workspacectl lint` print with `--format json`.",
  });

export const errorReportSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("Kind of the error, such as usage, unauthorized or refused; stays the same."),
      message: z.string().describe("What is wrong, where, and what to do. May contain several lines."),
      remedy: z.string().describe("What to do about it."),
      location: place.optional(),
    }),
  })
  .meta({
    title: "Error",
    description:
      "What a command prints with `--json` or `--format json` when it fails. The exit code says so, too.",
  });

export type ErrorReport = z.infer<typeof errorReportSchema>;

/** @param version version of the format */
export function reportHead<const V extends number>(version: V) {
  return { version, tool: { name: "workspacectl" as const, version: toolVersion() } };
}

/** Describes a run that has just ended, too. */
export function runHead<const V extends number>(version: V, milliseconds: number, now: Date = new Date()) {
  return {
    ...reportHead(version),
    generatedAt: now.toISOString(),
    seconds: Math.round(milliseconds / 100) / 10,
  };
}

/** Writes a report; its schema is published with the package. */
export function formatJsonReport(report: object): string {
  return `${formatJson(report)}\n`;
}
