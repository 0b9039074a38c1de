/** Writes the other files of a program: Pulumi.yaml, package.json, tsconfig.json and .gitignore. */
import { stringify } from "yaml";

/** Files that are not replaced when a program is exported again, because users edit them. */
export const SCAFFOLD = /^(Pulumi\.yaml|package\.json|tsconfig\.json|\.gitignore)$/;

export interface ScaffoldOptions {
  /** Name of the Pulumi project, which is part of every URN. */
  readonly project: string;
  readonly workspace: string;
  /** Dependency specifier of the library for npm. */
  readonly source: string;
}

export function scaffold({ project, workspace, source }: ScaffoldOptions): ReadonlyMap<string, string> {
  const pulumi = {
    name: project,
    description: `The workspace ${workspace}`,
    runtime: "nodejs",
    // The program does not name a workspace: the configuration of another stack can.
    config: { "workspace-automation:workspace": workspace },
  };
  const packageJson = {
    name: `workspace-${workspace.toLowerCase().replace(/[^a-z0-9-]+/g, "-")}`,
    private: true,
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": "^3.230.0", "pulumi-workspace-automation": source },
    devDependencies: { typescript: "^5.9.0" },
  };
  const tsconfig = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "es2022",
      module: "commonjs",
      moduleResolution: "node",
      skipLibCheck: true,
      noEmit: true,
    },
  };
  return new Map([
    ["Pulumi.yaml", stringify(pulumi)],
    ["package.json", JSON.stringify(packageJson)],
    ["tsconfig.json", JSON.stringify(tsconfig)],
    [".gitignore", "node_modules/\n"],
  ]);
}
