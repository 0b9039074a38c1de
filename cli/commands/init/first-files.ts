/** Writes the texts of the first files. */
import { stringify } from "yaml";
import { formatSchemaLine } from "../../../automation/config-files/checked-files.js";
import type { ProgramPackages } from "../../../automation/config-files/package-source.js";
import { suggestProjectName } from "../../../automation/stack/state-place.js";
import { pickDefined } from "../../../diff/values.js";
import type { StateAddress } from "../../../trust/state-address.js";
import type { InitAnswers } from "./answers.js";

/** The state is in a local folder next to the workspace file. */
export const LOCAL = "local";

/** Whether a text is an address for `pulumi login`, with its scheme. */
export function isBackend(text: string): boolean {
  return text === LOCAL || /^[a-z][a-z0-9+.-]*:\/\/\S+$/.test(text);
}

/** Quotes a text as a YAML key or value. */
const quoteYaml = (value: string) => stringify(value, { lineWidth: 0 }).trim();

/** Returns the workspace file, with comments that show the next steps. */
export function createWorkspaceFile({
  workspace,
  connection,
  members,
  admins,
  projects,
  existing,
}: InitAnswers): string {
  const lines = [
    formatSchemaLine("workspace"),
    `# ${workspace === undefined ? "A workspace" : `The workspace ${formatOneLine(workspace)}`} as code. An editor with a YAML language server completes and checks this file.`,
    "#",
    "# What is declared here for the first time is created; what is no longer declared is deleted; what was never",
    "# declared is not touched.",
    "version: 1",
  ];
  if (workspace !== undefined) lines.push(`workspace: ${quoteYaml(workspace)}`);
  if (connection !== undefined) lines.push(`connection: ${quoteYaml(connection)}`);
  if (members.length > 0) lines.push("", ...formatMemberLines(members, admins));
  else lines.push("", "# members:", "#   ann@example.com: { admin: true }");
  lines.push(
    "",
    "# variables:",
    "#   REGION: us-east",
    '#   API_KEY: { value: "${env:API_KEY}", encrypted: true } # from WORKSPACE_VAR_API_KEY in your environment',
  );
  lines.push("", ...formatProjectLines(projects, existing));
  return `${lines.join("\n")}\n`;
}

/** What the workspace file must mean. */
export function describeWorkspace(answers: InitAnswers): object {
  const { workspace, connection, members, admins, projects, existing } = answers;
  const declared = [
    ...existing.map(({ name, displayName, strategy }): [string, object] => [
      name,
      strategy === "external" ? { external: true } : { ...pickDefined({ displayName }), adopt: true },
    ]),
    ...projects.map((name): [string, object] => [name, { displayName: name }]),
  ];
  const people = members.map((email) => [email, admins.includes(email) ? { admin: true } : {}]);
  return {
    version: 1,
    ...pickDefined({ workspace, connection }),
    ...(people.length === 0 ? {} : { members: Object.fromEntries(people) as object }),
    ...(declared.length === 0 ? {} : { projects: Object.fromEntries(declared) }),
  };
}

function formatMemberLines(members: readonly string[], admins: readonly string[]): string[] {
  const declared = "# lint-ignore: no-administrator -- the administrators are not declared here";
  return [
    ...(admins.length > 0 ? [] : [declared]),
    "members:",
    ...members.map((email) =>
      admins.includes(email)
        ? `  ${quoteYaml(email)}: { admin: true }`
        : `  ${quoteYaml(email)}: {} # lint-ignore: unused-member -- invited first, gets a project later`,
    ),
  ];
}

function formatProjectLines(projects: InitAnswers["projects"], existing: InitAnswers["existing"]): string[] {
  if (projects.length + existing.length === 0)
    return ["# projects:", "#   web:", ...pipelineExample.map((line) => `#     ${line}`)];
  const external = existing.filter(({ strategy }) => strategy === "external");
  const adopted = existing.filter(({ strategy }) => strategy === "adopt");
  return [
    "projects:",
    ...(external.length > 0
      ? ["  # These exist and may be referred to; they are never changed or deleted."]
      : []),
    ...external.map(({ name }) => `  ${quoteYaml(name)}: { external: true }`),
    ...(adopted.length > 0
      ? ["  # These exist and are managed from now on. Remove `adopt` after the first `up`."]
      : []),
    ...adopted.flatMap(({ name, displayName }) => [
      `  ${quoteYaml(name)}:`,
      ...(displayName === undefined ? [] : [`    displayName: ${quoteYaml(displayName)}`]),
      "    adopt: true",
    ]),
    ...projects.flatMap((name, index) => [
      `  ${quoteYaml(name)}:`,
      `    displayName: ${quoteYaml(name)}`,
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

const formatOneLine = (text: string) => text.replace(/\s+/g, " ");

/** The text of .gitignore. */
export const ignoreFile = ["# State and local settings", ".pulumi-state/", "node_modules/", ".env", ""].join(
  "\n",
);

/** Returns the Pulumi project, with the address of the state unless that is the local folder. */
export function createPulumiProjectFile(
  name: string,
  backend: StateAddress | undefined,
): Record<string, string> {
  const lines = [
    `name: ${quoteYaml(suggestProjectName(name))}`,
    "runtime: nodejs",
    `description: ${quoteYaml(`The workspace ${formatOneLine(name)} as code`)}`,
    ...(backend === undefined ? [] : ["backend:", `  url: ${quoteYaml(backend.whole)}`]),
  ];
  return { "Pulumi.yaml": `${lines.join("\n")}\n` };
}

/** Returns a program that loads the workspace file, for plain `pulumi up`. */
export function createProgramFiles(
  name: string,
  { dependencies, settings }: ProgramPackages,
): Record<string, string> {
  const manifest = {
    name: suggestProjectName(name),
    private: true,
    type: "module",
    main: "index.js",
    dependencies,
  };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ...(settings === undefined ? {} : { ".npmrc": settings }),
    "index.js":
      'import { loadWorkspace } from "pulumi-workspace-automation";\n\nloadWorkspace("workspace.yaml");\n',
  };
}
