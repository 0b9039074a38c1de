/**
 * Builds a workspace file with a separate secret in every argument of every type that can contain one. The arguments
 * are taken from the registry, so that new types and arguments are included automatically.
 */
import type { z } from "zod";
import {
  type Definition,
  definitions,
  type Fields,
  getArgsSchema,
  listIdentifyingArgs,
} from "../../../provider/index.js";
import { validateArgs } from "../../../resources/definition/validate.js";
import type { Secrets } from "./secrets.js";
import type { Sources } from "./sources.js";

type Form = (secret: string) => unknown;

/** The possible structures of an argument that contains a secret. */
const forms: readonly Form[] = [
  (secret) => secret,
  (secret) => [secret],
  (secret) => [{ name: "Authorization", value: secret }],
  (secret) => [{ type: "INLINE", value: secret }],
];

/** Nested values that usually contain a secret. */
const nested: Readonly<Record<string, Form>> = {
  variables: (secret) => [{ key: "TOKEN", value: secret, encrypted: true }],
  mcpServers: (secret) => ({ docs: { headers: { Authorization: secret } } }),
  services: (secret) => [{ type: "db", version: "1", connection: { password: secret } }],
};

/** Arguments that must refer to something that exists at the service or elsewhere. */
const FIXED: ReadonlySet<string> = new Set([
  "Project.gitLabProjectId",
  "Project.customRepoUrl",
  "Branch.revision",
  "Action.integrationIdentifier",
]);

/** Checks for arguments that control or name the object, which are shown everywhere. */
function isName(definition: Definition, name: string): boolean {
  return (
    listIdentifyingArgs(definition).has(name) ||
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

/** Returns the arguments with a secret in each that can contain one. */
function plantIn(definition: Definition, args: Fields, sources: Sources): Fields {
  const planted: Record<string, unknown> = { ...args };
  const shape = getArgsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
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

/** Returns one entry with secrets for each kind of a type. */
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

/** Combinations of arguments that the first example does not include. */
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

/** Names in the file for the objects that examples of the registry refer to. */
const KNOWN: Readonly<Record<string, string>> = {
  "@WorkspaceMember": "ann@example.com",
  "@PermissionSet": "release-engineers",
};

/** Returns a workspace file with all types, each below every possible parent. */
export function plantedDocument(sources: Sources): Record<string, unknown> {
  // The seed contains the first project already: branches require a commit.
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

/** Adds an action of an unknown type whose secrets have names and forms that no list can contain. */
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

/** Returns an overlay with secrets as plain text, as an author might write them. */
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

/** Returns an overlay with secrets in arguments that accept only certain values, so that they are rejected. */
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
