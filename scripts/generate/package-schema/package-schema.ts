/** Generates the schema of the Pulumi package, for code generators, `pulumi import` and `pulumi do`. */
import { readFileSync } from "node:fs";
import { format } from "prettier";
import { definitions } from "../../../provider/index.js";
import { listVariantTypes } from "../../../resources/package-types.js";
import { createComponentSpecs } from "./components.js";
import { SDK } from "./examples.js";
import { createFunctionSpecs } from "./functions.js";
import { createResourceSpec, variantSpec } from "./resources.js";
import { buildToken, NAME, NamedTypes, type PropertySpec } from "./types.js";

const settings: Readonly<Record<string, PropertySpec>> = {
  connection: {
    type: "string",
    description:
      "Name of the connection, which selects a stored login or variables of the environment. Default: WORKSPACE_AUTOMATION_CONNECTION.",
  },
  baseUrl: {
    type: "string",
    description:
      "Address of the service, such as https://host/api. Default: WORKSPACE_AUTOMATION_BASE_URL, or a login.",
  },
  token: {
    type: "string",
    description: "Token for the address in `baseUrl`. Default: WORKSPACE_AUTOMATION_TOKEN, or a login.",
    secret: true,
  },
  workspace: {
    type: "string",
    description:
      "Domain of the workspace, as in its address. Default: WORKSPACE_AUTOMATION_DOMAIN, or a login.",
  },
  allowInsecure: {
    type: "string",
    description: '"true" allows plain HTTP to another machine. Default: WORKSPACE_AUTOMATION_ALLOW_INSECURE.',
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
    publisher: "Workspace Automation contributors",
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: SDK, respectSchemaVersion: true },
      python: {
        packageName: "pulumi_workspace_automation",
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
  const resources = definitions.flatMap((definition) => [
    [buildToken(definition.type), createResourceSpec(definition, types)] as const,
    ...listVariantTypes(definition).map((type) => [buildToken(type.name), variantSpec(type, types)] as const),
  ]);
  const all = { ...Object.fromEntries(resources), ...createComponentSpecs(types) };
  return { types, resources: all, functions: createFunctionSpecs(types) };
}
