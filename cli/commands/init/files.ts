/** Writes the texts of the first files. */
import { stringify } from "yaml";
import { schemaLine } from "../../config-files/schema-line.js";
import type { InitAnswers } from "./types.js";

/** Quotes a text as a YAML key or value. */
const quoted = (value: string) => stringify(value, { lineWidth: 0 }).trim();

/** Returns the workspace file, with comments that show the next steps. */
export function workspaceFile({
  workspace,
  connection,
  members,
  admins,
  projects,
  existing,
}: InitAnswers): string {
  const lines = [
    schemaLine("workspace"),
    `# ${workspace === undefined ? "A workspace" : `The workspace ${oneLine(workspace)}`} as code. An editor with a YAML language server completes and checks this file.`,
    "#",
    "# What is declared here for the first time is created; what is no longer declared is deleted; what was never",
    "# declared is not touched.",
    "version: 1",
  ];
  if (workspace !== undefined) lines.push(`workspace: ${quoted(workspace)}`);
  if (connection !== undefined) lines.push(`connection: ${quoted(connection)}`);
  if (members.length > 0) lines.push("", ...memberLines(members, admins));
  else lines.push("", "# members:", "#   ann@example.com: { admin: true }");
  lines.push(
    "",
    "# variables:",
    "#   REGION: us-east",
    '#   API_KEY: { value: "${env:API_KEY}", encrypted: true } # from WORKSPACE_VAR_API_KEY in your environment',
  );
  lines.push("", ...projectLines(projects, existing));
  return `${lines.join("\n")}\n`;
}

function memberLines(members: readonly string[], admins: readonly string[]): string[] {
  const declared = "# lint-ignore: no-administrator -- the administrators are not declared here";
  return [
    ...(admins.length > 0 ? [] : [declared]),
    "members:",
    ...members.map((email) =>
      admins.includes(email)
        ? `  ${quoted(email)}: { admin: true }`
        : `  ${quoted(email)}: {} # lint-ignore: unused-member -- invited first, gets a project later`,
    ),
  ];
}

function projectLines(projects: InitAnswers["projects"], existing: InitAnswers["existing"]): string[] {
  if (projects.length + existing.length === 0)
    return ["# projects:", "#   web:", ...pipelineExample.map((line) => `#     ${line}`)];
  const external = existing.filter(({ strategy }) => strategy === "external");
  const adopted = existing.filter(({ strategy }) => strategy === "adopt");
  return [
    "projects:",
    ...(external.length > 0
      ? ["  # These exist and may be referred to; they are never changed or deleted."]
      : []),
    ...external.map(({ name }) => `  ${quoted(name)}: { external: true }`),
    ...(adopted.length > 0
      ? ["  # These exist and are managed from now on. Remove `adopt` after the first `up`."]
      : []),
    ...adopted.flatMap(({ name, displayName }) => [
      `  ${quoted(name)}:`,
      ...(displayName === undefined ? [] : [`    displayName: ${quoted(displayName)}`]),
      "    adopt: true",
    ]),
    ...projects.flatMap((name, index) => [
      `  ${quoted(name)}:`,
      `    displayName: ${quoted(name)}`,
      ...(index === 0 ? pipelineExample.map((line) => `    # ${line}`) : []),
    ]),
  ];
}

const pipelineExample = [
  "pipelines:",
  "  Test:",
  "    triggerMode: ON_EVERY_PUSH",
  "    refType: BRANCH",
  "    refName: main",
  "    actions: # in this order",
  "      - name: Test",
  "        type: BUILD",
  "        triggerTime: ON_EVERY_EXECUTION",
  "        containerImageName: node",
  '        containerImageTag: "22"',
  "        executeCommands: [npm ci, npm test]",
];

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** The text of .gitignore. */
export const ignoreFile = ["# State and local settings", ".pulumi-state/", "node_modules/", ".env", ""].join(
  "\n",
);

function projectName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
  return plain.replace(/^-+|-+$/g, "") || "workspace";
}

/** Returns the Pulumi project, with the address of the state unless that is the local folder. */
export function pulumiProjectFile(name: string, backend: string | undefined): Record<string, string> {
  const lines = [
    `name: ${projectName(name)}`,
    "runtime: nodejs",
    `description: ${quoted(`The workspace ${oneLine(name)} as code`)}`,
    ...(backend === undefined ? [] : ["backend:", `  url: ${quoted(backend)}`]),
  ];
  return { "Pulumi.yaml": `${lines.join("\n")}\n` };
}

/**
 * Returns a program that loads the workspace file, for plain `pulumi up`.
 * @param source dependency specifier of the library for npm
 */
export function programFiles(name: string, source: string): Record<string, string> {
  const manifest = {
    name: projectName(name),
    private: true,
    type: "module",
    main: "index.js",
    dependencies: { "pulumi-workspace-automation": source },
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "index.js":
      'import { loadWorkspace } from "pulumi-workspace-automation";\n\nloadWorkspace("workspace.yaml");\n',
  };
}
