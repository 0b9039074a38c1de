/**
 * A workspace file with a secret of its own in every argument of every type that can hold one. What there is to plant in follows
 * from the registry, so that a new type or argument takes part by existing.
 */
import type { z } from "zod";
import { argsSchema, definitions, type Definition, type Fields } from "../../../provider/index.js";
import { validateArgs } from "../../../provider/definition/validate.js";
import type { Secrets } from "./secrets.js";
import type { Sources } from "./sources.js";

type Form = (secret: string) => unknown;

/** What an argument may look like, with a secret in it. */
const forms: readonly Form[] = [
  (secret) => secret,
  (secret) => [secret],
  (secret) => [{ name: "Authorization", value: secret }],
  (secret) => [{ type: "INLINE", value: secret }],
];

/** Nested values of which it is usual to hold a secret. */
const nested: Readonly<Record<string, Form>> = {
  variables: (secret) => [{ key: "TOKEN", value: secret, encrypted: true }],
  mcpServers: (secret) => ({ docs: { headers: { Authorization: secret } } }),
  services: (secret) => [{ type: "db", version: "1", connection: { password: secret } }],
};

/** Arguments that must name something that exists at the service, or elsewhere. */
const FIXED: ReadonlySet<string> = new Set([
  "Project.gitLabProjectId",
  "Project.customRepoUrl",
  "Branch.revision",
  "Action.integrationIdentifier",
]);

/** Arguments that decide how the object is managed or what it is called: they are shown wherever it is. */
function isName(definition: Definition, name: string): boolean {
  return (
    definition.clientOnly.includes(name) ||
    definition.naturalKey.includes(name) ||
    definition.references[name] !== undefined ||
    definition.replaceOn.includes(name) ||
    Object.values(definition.document?.under ?? {}).includes(name) ||
    Object.values(definition.references).some(({ copies, idOutput }) =>
      [idOutput, ...Object.keys(copies ?? {})].includes(name),
    ) ||
    ["workspace", "name", definition.document?.keyedBy].includes(name)
  );
}

/** The arguments with a secret in each that can hold one. */
function plantIn(definition: Definition, args: Fields, sources: Sources): Fields {
  const planted: Record<string, unknown> = { ...args };
  const shape = argsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
  for (const name of Object.keys(shape)) {
    if (isName(definition, name) || FIXED.has(`${definition.type}.${name}`)) continue;
    const kind = typeof args["type"] === "string" ? args["type"] : "";
    const before = validateArgs(definition, planted).length;
    const usual = nested[name];
    const fits = (usual === undefined ? forms : [usual]).find(
      (form) => validateArgs(definition, { ...planted, [name]: form("some-text") }).length <= before,
    );
    if (fits === undefined) continue;
    const known = definition.secret({ ...planted, [name]: fits("some-text") }).includes(name);
    const [olds, news] = ["some-text", "other-text"].map((text) => ({ ...planted, [name]: fits(text) }));
    const fixed = definition.validateChange({ olds: olds!, news: news!, changed: [name] }) !== undefined;
    planted[name] = fits(sources.placeholder(`${definition.type} ${kind} ${name}`, { known, fixed }));
  }
  return planted;
}

interface Entry {
  readonly key: string;
  readonly rest: Record<string, unknown>;
}

/** One entry of each kind that a type has, planted. */
function entriesOf(definition: Definition, sources: Sources): Entry[] {
  const { examples, variants, document } = definition;
  const kinds = variants
    ? Object.values(variants.of).map((variant) => variant.examples.create)
    : [{}, ...(MORE[definition.type] ?? [])];
  return kinds.map((kind, index) => {
    const parents = Object.values(document?.under ?? {});
    const args = Object.fromEntries(
      Object.entries(plantIn(definition, { ...examples.create, ...kind }, sources))
        .filter(([name]) => !parents.includes(name) && !["members", "exclusive"].includes(name))
        .map(([name, value]) => [name, KNOWN[String(value)] ?? value]),
    );
    const { [document!.keyedBy]: key, ...rest } = args;
    return { key: variants ? `${String(key)} ${index + 1}` : String(key), rest };
  });
}

/** Combinations of arguments that the first example does not show. */
const MORE: Readonly<Record<string, readonly Fields[]>> = {
  Project: [
    {
      name: "custom",
      customRepoUrl: "https://git.example.com/web.git",
      customRepoUser: "git",
      customRepoPass: "x",
    },
  ],
  Variable: [
    { key: "TOKEN", encrypted: true },
    { key: "KEY", encrypted: true, sshKey: true },
  ],
};

/** What examples of the registry refer to, as it is called in the file. */
const KNOWN: Readonly<Record<string, string>> = {
  "@WorkspaceMember": "ann@example.com",
  "@PermissionSet": "release-engineers",
};

/** The workspace file of all types that a file can hold, each below every parent that it may have. */
export function plantedDocument(sources: Sources): Record<string, unknown> {
  // The seed has the first project already: without a commit nothing can be branched off.
  const top: Record<string, unknown> = { version: 1, workspace: "acme", adopt: true };
  const first = new Map<string, Record<string, unknown>>([["workspace", top]]);
  const waiting = definitions.filter(({ document }) => document && document.form !== "keys");
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ document }) =>
      Object.keys(document!.under).some((type) => first.has(type)),
    );
    const [definition] = waiting.splice(next, 1);
    if (definition === undefined) break;
    const { section, under, keyedBy, form } = definition.document!;
    const parents = Object.keys(under).map((type) => first.get(type));
    for (const parent of parents.filter((one) => one !== undefined)) {
      const entries = entriesOf(definition, sources);
      const written = entries.map(({ key, rest }) => ({ [keyedBy]: key, ...rest }));
      parent[section] =
        form === "list" ? written : Object.fromEntries(entries.map(({ key, rest }) => [key, rest]));
      const [one] = form === "list" ? written : entries.map(({ rest }) => rest);
      if (one !== undefined && !first.has(definition.type)) first.set(definition.type, one);
    }
  }
  addFields(top, sources);
  return top;
}

/** An action of a type that nobody knows, whose secrets have names and forms that no list of ours may hold. */
function addFields(document: Record<string, unknown>, sources: Sources): void {
  const from = (where: string) => sources.placeholder(`fields, ${where}`, { known: true });
  actionsOf(document).push({
    name: "Unknown",
    type: "CUSTOM_DEPLOY",
    triggerTime: "ON_EVERY_EXECUTION",
    fields: {
      server_key: "${file:inputs/key.pem}",
      access_token: from("access_token"),
      webhook: `https://hooks.example.com/${from("webhook, in an address")}`,
      nested: { list: [{ deeply: { bearer: from("nested bearer") } }] },
      harmless_by_name: sources.placeholder("fields, without a name that says so", {
        known: true,
        shown: true,
      }),
    },
  });
}

function actionsOf(document: Record<string, unknown>): object[] {
  const { projects } = document as {
    projects: Record<string, { pipelines: Record<string, { actions: object[] }> }>;
  };
  return Object.values(Object.values(projects)[0]?.pipelines ?? {})[0]?.actions ?? [];
}

/** Secrets that an author wrote into a file as they are. */
export function literalOverlay(secrets: Secrets): Record<string, unknown> {
  const actions = [
    {
      name: "Literal",
      type: "HTTP",
      triggerTime: "ON_EVERY_EXECUTION",
      method: "GET",
      notificationUrl: "https://example.com/",
      login: "deployer",
      password: secrets.text("a password written into a file"),
      headers: [{ name: "Authorization", value: `Bearer ${secrets.text("a header written into a file")}` }],
    },
  ];
  return {
    version: 1,
    variables: { LITERAL: { value: secrets.text("a value written into a file"), encrypted: true } },
    projects: { web: { pipelines: { deploy: { actions } } } },
  };
}

/** Secrets where they are refused, since only certain words may stand there. */
export function wrongOverlay(secrets: Secrets, sources: Sources): Record<string, unknown> {
  const wrong = {
    triggerMode: sources.placeholder("a wrong trigger mode"),
    refType: sources.placeholder("a wrong kind of ref"),
    timeout: sources.placeholder("a wrong number"),
  };
  return {
    version: 1,
    projects: { web: { pipelines: { deploy: wrong } } },
    variables: { LITERAL: { value: [secrets.text("a list in place of a value")], encrypted: true } },
    permissionSets: {
      "release-engineers": { repositoryAccessLevel: sources.placeholder("a wrong access level") },
    },
  };
}
