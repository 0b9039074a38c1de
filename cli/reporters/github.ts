/** Writes problems as workflow commands of GitHub Actions, which shows them beside the changed lines. */
import { pathFromRoot, type ProblemReport, type Root, type Severity } from "./diagnostics.js";

const commands: Record<Severity, string> = { error: "error", warning: "warning", info: "notice" };

export function github({ problems }: ProblemReport, root: Root): string {
  return problems
    .map(({ code, severity, message, place }) => {
      const properties = {
        file: pathFromRoot(place.file, root),
        line: String(place.line),
        col: String(place.column),
        title: code,
      };
      const list = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
      return `::${commands[severity]} ${list.join(",")}::${data(message)}\n`;
    })
    .join("");
}

/** Escapes data as @actions/core does, for the runner's `ActionCommand`. */
function data(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(value: string): string {
  return data(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
