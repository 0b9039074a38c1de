/** Converts the reports of `validate`, `lint` and `access` to notes, which are grouped over the workspaces. */
import { relative } from "node:path";
import { z } from "zod";
import { accessReportSchema } from "../access/run.js";
import { diagnosticsReportSchema } from "../../reporters/problem-schema.js";
import type { SectionData } from "../../reporters/view-data.js";
import type { FleetCommand } from "./child-process.js";

const problems = z.looseObject({ problems: diagnosticsReportSchema.shape.problems });
const access = z.looseObject({ rows: accessReportSchema.shape.rows });

export function listCheckNotes(command: FleetCommand, report: unknown): SectionData[] {
  return command === "access" ? listAccessNotes(report) : listProblemNotes(report);
}

/** Counts problems by severity, or people. */
export function summarizeCheck(command: FleetCommand, report: unknown): [word: string, count: number][] {
  if (command === "access") {
    const { rows } = access.safeParse(report).data ?? { rows: [] };
    return [
      ["people", rows.length],
      ["of them administrators", rows.filter(({ admin }) => admin).length],
    ];
  }
  const found = problems.safeParse(report).data?.problems ?? [];
  return (["error", "warning", "info"] as const).map((one) => {
    const { length } = found.filter(({ severity }) => severity === one);
    return [one === "info" || length === 1 ? one : `${one}s`, length];
  });
}

function listProblemNotes(report: unknown): SectionData[] {
  const found = problems.safeParse(report).data?.problems ?? [];
  return found.map(({ file, line, column, message, code, severity }) => ({
    section: "problems",
    title: "Problems",
    folded: false,
    level: severity,
    details: [],
    text: `${relative(process.cwd(), file)}:${line}:${column}: ${message} (${code})`,
  }));
}

function listAccessNotes(report: unknown): SectionData[] {
  const { rows } = access.safeParse(report).data ?? { rows: [] };
  return rows.flatMap(({ member, admin, owner, projects }) => {
    const role = owner ? "owner" : admin ? "administrator" : "member";
    const inProjects = Object.entries(projects).map(([project, { permissionSet = role }]) => {
      return `${project}: ${permissionSet}`;
    });
    return [`${member}: ${role}`, ...inProjects.map((text) => `${member} in ${text}`)].map((text) => ({
      section: "access",
      title: "Access",
      folded: false,
      level: "info" as const,
      details: [],
      text,
    }));
  });
}
