/** Generates the schema of the Pulumi package, for code generators, `pulumi import` and `pulumi do`. */
import { readFileSync } from "node:fs";
import { format } from "prettier";
import { definitions } from "../../../provider/index.js";
import { SDK } from "./examples.js";
import { createFunctionSpecs } from "./functions.js";
import { createResourceSpec } from "./resources.js";
import { NAME, NamedTypes, buildToken, type PropertySpec } from "./types.js";

const settings: Readonly<Record<string, PropertySpec>> = {
  connection: {
    type: "string",
    description: "Name of the connection, which selects a stored login or variables of the environment.",
  },
  baseUrl: { type: "string", description: "Address of the service, such as https://host/api." },
  token: { type: "string", description: "Token for the address in `baseUrl`.", secret: true },
  workspace: { type: "string", description: "Domain of the workspace, as in its address." },
  allowInsecure: {
    type: "string",
    description: '"true" allows plain HTTP to another machine.',
  },
};

/** The path that Pulumi gives to a package without a public repository. */
const GO_MODULE = "example.com/pulumi-workspace-automation/sdk/go";

export function renderPackageSchema(): Promise<string> {
  const { version, license, description } = JSON.parse(
    readFileSync("packages/library/package.json", "utf8"),
  ) as Record<string, string>;
  const first = createContents(new NamedTypes());
  const { types, resources, functions } = createContents(new NamedTypes(first.types.ambiguities()));
  const schema = {
    name: NAME,
    displayName: "Workspace Automation",
    version,
    description,
    keywords: ["category/infrastructure", "kind/native", "pipelines"],
    license,
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: SDK, respectSchemaVersion: true },
      python: {
        packageName: "workspace_automation_sdk",
        respectSchemaVersion: true,
        pyproject: { enabled: true },
      },
      go: { importBasePath: `${GO_MODULE}/workspaceautomation`, respectSchemaVersion: true },
      csharp: { respectSchemaVersion: true },
      java: {},
    },
    config: { variables: settings },
    provider: {
      description:
        "The connection to the service. Missing settings come from the environment or from a login.",
      inputProperties: settings,
    },
    types: Object.fromEntries(Object.entries(types.types).sort(([a], [b]) => (a < b ? -1 : 1))),
    resources,
    functions,
  };
  return format(JSON.stringify(schema), { parser: "json", printWidth: 110 });
}

function createContents(types: NamedTypes) {
  const resources = definitions.map(
    (definition) => [buildToken(definition.type), createResourceSpec(definition, types)] as const,
  );
  return { types, resources: Object.fromEntries(resources), functions: createFunctionSpecs(types) };
}
