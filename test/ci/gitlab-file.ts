/** Reads the GitLab files of examples/ci, with the inputs of a component filled in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { folder } from "./workflow.js";

/** The component with the jobs of one workspace. */
export const component = "gitlab/templates/workspace.yml";
const entry = "gitlab/.gitlab-ci.yml";

interface Include {
  readonly local: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

export function readGitLab(path: string): Record<string, unknown> {
  const text = readFileSync(join(folder, path), "utf8");
  if (path !== component) return parse(text) as Record<string, unknown>;
  const { include } = parse(readFileSync(join(folder, entry), "utf8")) as { include: readonly Include[] };
  const inputs = include.find(({ local }) => path.endsWith(local))?.inputs ?? {};
  const filled = text.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    const value = inputs[name];
    if (value === undefined) throw new Error(`${entry} passes no input "${name}"`);
    return value;
  });
  return parseAllDocuments(filled).at(-1)?.toJS() as Record<string, unknown>;
}
