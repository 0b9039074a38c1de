/** What `npm run bench -- growth` doubles. */
import { stringify } from "yaml";

export interface GrowthKind {
  /** The files of a folder, by path. */
  readonly write: (size: number) => Readonly<Record<string, string>>;
  /** Default: all commands for a workspace file. */
  readonly commands?: Readonly<Record<string, readonly string[]>>;
}

const numbers = (size: number) => Array.from({ length: size }, (_, index) => index);
const name = (number: number) => `object-${number}`;
const email = (number: number) => `person${number}@example.com`;
const key = (number: number) => `KEY_${number}`;
const createNamed = (size: number, value: (number: number) => unknown, named = name) =>
  Object.fromEntries(numbers(size).map((number) => [named(number), value(number)]));

const pipeline = (actions: readonly unknown[] = []) => ({
  ...{ triggerMode: "MANUAL", refType: "BRANCH", refName: "main" },
  actions,
});
const ping = (number: number) => ({
  ...{ name: name(number), type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "shop.example.com" },
});
const build = (lines: readonly string[]) => ({
  ...{ name: "Build", type: "BUILD", triggerTime: "ON_EVERY_EXECUTION" },
  ...{ containerImageName: "node", containerImageTag: "22", executeCommands: lines },
});

const writeFile = (part: object) => stringify({ version: 1, workspace: "acme", ...part });
const inOneFile = (part: (size: number) => object): GrowthKind => ({
  write: (size) => ({ "workspace.yaml": writeFile(part(size)) }),
});
const inProject = (part: (size: number) => object) =>
  inOneFile((size) => ({ projects: { web: part(size) } }));
const fragment = (part: object) => stringify({ version: 1, ...part });
const namePart = (number: number) => `parts/${name(number)}.yaml`;
const group = (number: number) => fragment({ groups: { [name(number)]: { description: "A" } } });

/** By what there is twice as much of. */
export const growthKinds: Readonly<Record<string, GrowthKind>> = {
  actions: inProject((size) => ({ pipelines: { deploy: pipeline(numbers(size).map(ping)) } })),
  pipelines: inProject((size) => ({ pipelines: createNamed(size, () => pipeline()) })),
  "project variables": inProject((size) => ({ variables: createNamed(size, String, key) })),
  variables: inOneFile((size) => ({ variables: createNamed(size, String, key) })),
  projects: inOneFile((size) => ({ projects: createNamed(size, (n) => ({ displayName: String(n) })) })),
  "projects with a pipeline": inOneFile((size) => ({
    projects: createNamed(size, () => ({ pipelines: { deploy: pipeline([ping(0)]) } })),
  })),
  groups: inOneFile((size) => ({ groups: createNamed(size, () => ({})) })),
  "group members": inOneFile((size) => ({
    members: createNamed(size, () => ({}), email),
    groups: { all: { members: numbers(size).map(email) } },
  })),
  "project members": inOneFile((size) => ({
    members: createNamed(size, () => ({}), email),
    permissionSets: {
      developers: {
        description: "All",
        pipelineAccessLevel: "READ_WRITE",
        repositoryAccessLevel: "READ_WRITE",
      },
    },
    projects: { web: { members: createNamed(size, () => "developers", email) } },
  })),
  "lines of a script": inProject((size) => ({
    pipelines: { deploy: pipeline([build(numbers(size).map((n) => `echo "line ${n}"`))]) },
  })),
  includes: {
    write: (size) => ({
      "workspace.yaml": writeFile({ include: numbers(size).map(namePart) }),
      ...Object.fromEntries(numbers(size).map((number) => [namePart(number), group(number)])),
    }),
    commands: { validate: ["validate", "-f", "workspace.yaml"], lint: ["lint", "-f", "workspace.yaml"] },
  },
  "entries of an overlay": {
    write: (size) => ({
      "workspace.yaml": writeFile({ groups: createNamed(size, () => ({ description: "A" })) }),
      "other.yaml": fragment({ groups: createNamed(size, () => ({ description: "B" })) }),
    }),
    commands: { validate: ["validate", "-f", "workspace.yaml", "--overlay", "other.yaml"] },
  },
  "entries of a fleet": {
    write: (size) => ({
      "fleet.yaml": stringify({
        version: 1,
        workspaces: createNamed(size, () => ({ file: "workspace.yaml" })),
      }),
      "workspace.yaml": writeFile({}),
    }),
    commands: { plan: ["fleet", "plan", "fleet.yaml", "--shards", "4"] },
  },
};
