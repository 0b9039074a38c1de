/** Random objects of a program that refer to each other in every form, and changes of them. */
import { findPackageType, getDefinition } from "../../provider/index.js";
import type { Random } from "../chaos/random.js";

type Args = Readonly<Record<string, unknown>>;

export interface Declared {
  readonly type: string;
  readonly name: string;
  readonly args: Args;
  readonly options?: Args;
  readonly refersTo?: readonly Reference[];
}

interface Reference {
  readonly name: string;
  /** `Type.output` */
  readonly output: string;
}

const WORDS = ["alpha", "beta", "gamma", "delta", "epsilon"];

/** Arguments that a change may choose anew: each gets its value from the random choices and the objects before it. */
type Loose = Readonly<Record<string, (choice: Choice) => unknown>>;

interface Choice {
  readonly random: Random;
  readonly name: string;
  /** Objects that are declared before this one. */
  readonly before: readonly Declared[];
}

const word = ({ random, before }: Choice): unknown => {
  const refersTo = random.chance(0.5) && before.length > 0 ? random.pick(before) : undefined;
  if (refersTo === undefined) return random.pick(WORDS);
  return { $text: { $output: [refersTo.name, random.pick(listOutputs(refersTo))] } };
};
const ownName = ({ random, name }: Choice) => `${name}-${random.pick(WORDS)}`;
const sizedText = ({ random }: Choice) => random.pick(WORDS).repeat(random.between(1, 3));
const of =
  <T>(...values: readonly T[]) =>
  ({ random }: Choice) =>
    random.pick(values);

const loose: Readonly<Record<string, Loose>> = {
  Project: { name: ownName, displayName: word },
  PermissionSet: {
    name: ownName,
    description: word,
    repositoryAccessLevel: of("DENIED", "READ_ONLY"),
    pipelineAccessLevel: of("DENIED", "RUN_ONLY"),
  },
  Group: { name: ownName, description: word },
  WorkspaceMember: {
    email: ({ random, name }) => `${name}-${random.pick(WORDS)}@example.com`,
    admin: of(true, false),
  },
  GroupMember: {},
  ProjectMember: { permissionSet: (choice) => referTo(choice, "PermissionSet", "permissionSetId") },
  Branch: { name: ownName },
  RepositoryFile: { path: ({ random, name }) => `${name}-${random.pick(WORDS)}.txt`, content: sizedText },
  Pipeline: {
    name: ownName,
    refName: word,
    alwaysFromScratch: of(true, false),
    refType: of("BRANCH", "TAG"),
  },
  PingAction: { name: ownName, destination: of("a.example.com", "b.example.com") },
  BuildAction: {
    name: ownName,
    containerImageName: of("node", "python"),
    executeCommands: (choice) => [word(choice), word(choice)],
  },
  HttpAction: { name: ownName, headers: (choice) => [{ name: "X-Of", value: word(choice) }] },
  ActionOrder: {},
  Variable: { key: ({ random, name }) => `${name}_${random.pick(WORDS)}`.toUpperCase(), value: word },
  UserKey: { title: word },
  UserEmail: { email: ({ random, name }) => `${name}-${random.pick(WORDS)}@example.com` },
  User: { title: word },
  OAuthClient: { clientName: ownName, description: word },
};

/** Refers to an object of a type in a random form: the resource, its id, or an output. */
function referTo(choice: Choice, type: string, ...outputs: readonly string[]): unknown {
  const { random, before } = choice;
  const { name } = random.pick(before.filter((one) => one.type.endsWith(type)));
  return refer(random, name, ...outputs);
}

function refer(random: Random, name: string, ...outputs: readonly string[]): unknown {
  return random.pick([{ $of: name }, ...["id", ...outputs].map((output) => ({ $output: [name, output] }))]);
}

/** The arguments, `id`, and outputs of an object that others can refer to. */
function listOutputs({ type, args }: Declared): string[] {
  const definition = findPackageType(type)?.definition ?? getDefinition(type);
  // The service shows no name of a person who was only invited. The others are secret.
  const hidden = ["clientSecret", "registrationAccessToken", ...(type === "WorkspaceMember" ? ["name"] : [])];
  const outputs = ["id", ...Object.keys(args), ...Object.keys(definition.outputs)];
  return [...new Set(outputs)].filter((output) => !hidden.includes(output));
}

/** Declares some objects of every type that a program can declare and change. */
export function randomObjects(random: Random): Declared[] {
  const objects: Declared[] = [];
  const add = (type: string, name: string, fixed: Args = {}, options: Args = {}) => {
    const choice = { random, name, before: [...objects] };
    const args = Object.fromEntries(
      Object.entries(loose[type] ?? {}).map(([arg, make]) => [arg, make(choice)]),
    );
    objects.push({ type, name, args: { ...fixed, ...args }, options });
    return name;
  };
  const some = (most: number) => Array.from({ length: random.between(1, most) }, (_, at) => at + 1);
  const actionTypes = ["PingAction", "BuildAction", "HttpAction"];
  add("User", "me");
  for (const at of some(2)) add("PermissionSet", `set${at}`);
  for (const at of some(2)) {
    const member = add("WorkspaceMember", `person${at}`);
    const group = add("Group", `group${at}`);
    add("GroupMember", `${member}in${group}`, {
      group: refer(random, group, "groupId", "name"),
      member: refer(random, member, "memberId"),
    });
  }
  for (const at of some(2)) {
    const project = add("Project", `project${at}`, { deletionProtection: false });
    const within = () => ({ ...projectOf(random, project) });
    // A branch needs a first commit.
    const file = add("RepositoryFile", `${project}file`, within());
    add("Branch", `${project}branch`, within(), { dependsOn: [{ $of: file }] });
    add("ProjectMember", `${project}person`, { ...within(), member: refer(random, "person1", "memberId") });
    add("Variable", `${project}variable`, within());
    for (const number of some(2)) {
      const pipeline = add("Pipeline", `${project}pipeline${number}`, { ...within(), triggerMode: "MANUAL" });
      add("Variable", `${pipeline}variable`, { pipeline: refer(random, pipeline, "pipelineId") });
      const actions: string[] = [];
      for (const action of some(3)) {
        const type = random.pick(actionTypes);
        const previous = actions.at(-1);
        const options = previous === undefined ? {} : { dependsOn: [{ $of: previous }] };
        const variant = {
          ...{ pipeline: { $of: pipeline }, triggerTime: "ON_EVERY_EXECUTION" },
          ...(type === "BuildAction" ? { containerImageTag: "22" } : {}),
          ...(type === "HttpAction" ? { notificationUrl: "https://hooks.example.com" } : {}),
        };
        actions.push(add(type, `${pipeline}action${action}`, variant, options));
      }
      if (random.chance(0.5))
        add("ActionOrder", `${pipeline}order`, {
          pipeline: refer(random, pipeline),
          actions: actions.map(($of) => ({ $of })),
        });
      const [first = ""] = actions;
      add("Variable", `${first}variable`, { action: { $of: first } });
    }
  }
  add("UserKey", "key", { content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com" });
  add("UserEmail", "address");
  add("OAuthClient", "client", {
    redirectUris: ["https://a.example.com/callback"],
    grantTypes: ["authorization_code"],
    responseTypes: ["code"],
    tokenEndpointAuthMethod: "client_secret_basic",
  });
  return objects;
}

/** The forms in which an object names its project. */
function projectOf(random: Random, project: string): Args {
  const projectId = { $output: [project, "id"] };
  return random.pick<Args>([
    { project: { $of: project } },
    { project: projectId },
    { project: { $output: [project, "projectName"] }, projectId },
    { project: { $output: [project, "name"] }, projectId },
  ]);
}

/** Changes some arguments, deletes objects that nobody refers to, and adds some. */
export function changeProgram(random: Random, objects: readonly Declared[]): Declared[] {
  const changed = objects.map((declared, at): Declared => {
    const { type, name, args } = declared;
    const makers = Object.entries(loose[type] ?? {});
    if (makers.length === 0 || !random.chance(0.3)) return declared;
    const choice = { random, name, before: objects.slice(0, at) };
    const anew = random.some(makers, 0.6).map(([arg, make]) => [arg, make(choice)] as const);
    return { ...declared, args: { ...args, ...Object.fromEntries(anew) } };
  });
  const kept = changed.filter(
    ({ name }, at) =>
      !random.chance(0.1) ||
      [...changed.slice(at + 1)].some((one) => listReferences(one).some((to) => to === name)),
  );
  const added = `added${random.below(1_000_000)}`;
  const choice = { random, name: added, before: kept };
  const args = Object.fromEntries(
    Object.entries(loose["Group"] ?? {}).map(([arg, make]) => [arg, make(choice)]),
  );
  return random.chance(0.5) ? [...kept, { type: "Group", name: added, args }] : kept;
}

/** The names of the objects in the arguments and options of an object. */
function listReferences({ args, options = {} }: Declared): string[] {
  return listReferencesIn([args, options]).map(([name]) => name);
}

function listReferencesIn(value: unknown): (readonly [name: string, output: string])[] {
  if (value === null || typeof value !== "object") return [];
  if ("$of" in value) return [[String(value.$of), ""]];
  if ("$output" in value) {
    const [name, output] = value.$output as [string, string];
    return [[name, output]];
  }
  return Object.values(value).flatMap(listReferencesIn);
}

/** Adds a variable for each output of one object of each type, and notes what each object refers to, also through arguments of others. */
export function withSinks(objects: readonly Declared[]): Declared[] {
  const typeOf = new Map(objects.map(({ name, type }) => [name, type]));
  const firsts = objects.filter(({ type }, at) => objects.findIndex((one) => one.type === type) === at);
  const sinks = firsts.flatMap((declared) =>
    listOutputs(declared).map((output): Declared => {
      const name = `${declared.name}.${output}`;
      const key = `OF_${name.replaceAll(/\W/g, "_").toUpperCase()}`;
      return {
        type: "Variable",
        name,
        args: { key, value: { $text: { $output: [declared.name, output] } } },
      };
    }),
  );
  const argsOf = new Map(objects.map(({ name, args }) => [name, args]));
  const follow = ([name, output]: readonly [string, string]): Reference[] => {
    const type = typeOf.get(name) ?? "";
    const from = listArgsBehind(type, output).map((arg) => argsOf.get(name)?.[arg]);
    return [{ name, output: `${type}.${output}` }, ...listReferencesIn(from).flatMap(follow)];
  };
  return [...objects, ...sinks].map((declared) => ({
    ...declared,
    refersTo: listReferencesIn([declared.args]).flatMap(follow),
  }));
}

/** The arguments that an output of a type shows: the one of its name, and the reference whose number it is. */
function listArgsBehind(type: string, output: string): string[] {
  const { references } = findPackageType(type)?.definition ?? getDefinition(type);
  const numbered = Object.keys(references).filter((arg) => references[arg]?.idOutput === output);
  return [output, ...numbered];
}
