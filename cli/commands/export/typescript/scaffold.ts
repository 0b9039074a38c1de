/** The files around a program: its Pulumi project, its dependencies, how it is compiled. */
import { stringify } from "yaml";

/** Files that stay as they are when a program is written anew: a user changes them. */
export const SCAFFOLD = /^(Pulumi\.yaml|package\.json|tsconfig\.json|\.gitignore)$/;

export interface ScaffoldOptions {
  /** Name of the Pulumi project: part of every object's name in the state. */
  readonly project: string;
  readonly workspace: string;
  /** Where npm finds this package. */
  readonly source: string;
}

export function scaffold({ project, workspace, source }: ScaffoldOptions): ReadonlyMap<string, string> {
  const pulumi = {
    name: project,
    description: `The workspace ${workspace}`,
    runtime: "nodejs",
    // The program names no workspace: a stack of another one sets its own.
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
