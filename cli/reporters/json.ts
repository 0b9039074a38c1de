/** Writes reports as JSON, and what all of them begin with. */
import { formatJson } from "../terminal/safe-text.js";
import { readVersion as toolVersion } from "../version.js";

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
