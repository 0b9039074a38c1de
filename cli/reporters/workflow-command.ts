/** Writes one workflow command of GitHub Actions. */
import { relateToRoot, type Root } from "./problem-report.js";
import type { Location } from "../../workspace-file/index.js";
import type { SectionItem } from "./report-view.js";

export type Severity = SectionItem["level"];

const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** Writes one annotation. */
export function formatAnnotation(
  severity: Severity,
  title: string,
  message: string,
  place: Location | undefined,
  root: Root,
): string {
  const at: Readonly<Record<string, string>> =
    place === undefined
      ? {}
      : { file: relateToRoot(place.file, root), line: String(place.line), col: String(place.column) };
  const list = Object.entries({ ...at, title }).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${commands[severity]} ${list.join(",")}::${escapeData(message)}\n`;
}

/** Escapes data as @actions/core does, for the runner's `ActionCommand`. */
function escapeData(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(value: string): string {
  return escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
