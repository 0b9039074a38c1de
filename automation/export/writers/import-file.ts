/** Exports a file for `pulumi import --file`, which adds existing objects to a stack under the logical names of a workspace file. */
import {
  buildCommonInputs,
  type Connection,
  type Definition,
  type DiscoveredObject,
  type Fields,
  getDefinition,
  getPulumiType,
  importForms,
  importId,
  listSecretNames,
  openReadOnlySession,
  parsePulumiType,
  pickScopes,
  type ProviderEngine,
  type ReadingOptions,
} from "../../../provider/index.js";
import { LogicalName } from "../../../resources/definition/logical-name.js";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../workspace-file/load/load.js";
import { documentText } from "../../../workspace-file/write/write.js";
import { assignIdentifiers } from "../typescript/literals.js";
import type { Exported, Writer } from "./writer.js";

/** An entry of the file. It contains the state only for a provider that cannot import by id. */
interface Entry {
  readonly type: string;
  /** Name of the variable in the code that Pulumi generates. */
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
  readonly inputs?: Fields;
  readonly outputs?: Fields;
}

/** @param connection from which the state of each object is read */
export function importFile(
  engine: ProviderEngine,
  connection: () => Promise<Connection>,
  reading: ReadingOptions,
): Writer {
  return {
    main: "import.json",
    own: /^import\.json$/,
    async write(exported) {
      const named = listEntries(exported, engine);
      const entries = engine === "plugin" ? named : await withStates(named, await connection(), reading);
      return { files: new Map([["import.json", formatResources(entries)]]), doubts: [], setup: [] };
    },
  };
}

const formatResources = (resources: readonly Entry[]) => `${JSON.stringify({ resources }, undefined, 2)}\n`;

function listEntries({ document, objects }: Exported, engine: ProviderEngine): Entry[] {
  const text = documentText(document);
  const { declarations } = readDeclarations("-", { mock: true, env: {}, stdin: () => text });
  const found = new Map(objects.map((object) => [object.name, object]));
  const imported = declarations.filter(({ definition }) => importForms(definition).length > 0);
  const variables = assignIdentifiers(
    imported.map(({ name, definition }) => ({
      name,
      keys: new LogicalName(name).keys.toReversed(),
      noun: definition.noun,
    })),
  );
  return imported.map((declaration) => {
    const { definition, name } = declaration;
    const id = importId(definition, document.workspace ?? "", pickIdentifying(declaration, found));
    return {
      type: getPulumiType(definition.type, engine),
      name: variables.get(name) ?? name,
      logicalName: name,
      id,
    };
  });
}

/** Omits secrets, because a file must not contain them in plaintext. The next update sets them. */
function withoutSecrets(definition: Definition, values: Fields): Fields {
  const secret = new Set(listSecretNames(definition, values));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
}

/** Returns the ids of an object, of its parents and of the objects to which it refers. */
function pickIdentifying(
  { definition, name, args }: ResourceDeclaration,
  found: ReadonlyMap<string, DiscoveredObject>,
): Fields {
  const referred = Object.values(args).flatMap((value) => (value instanceof Ref ? value.name : []));
  const parents = [...new LogicalName(name).ancestors, ...referred].map((one) => found.get(one)?.outputs);
  return { ...pickScopes(definition, parents), ...found.get(name)?.outputs };
}

/** Adds the state of each object. Pulumi copies it into the stack without a request to the provider. */
async function withStates(
  entries: readonly Entry[],
  connection: Connection,
  reading: ReadingOptions,
): Promise<Entry[]> {
  const session = openReadOnlySession(connection, reading);
  try {
    const complete: Entry[] = [];
    for (const entry of entries) {
      const definition = getDefinition(parsePulumiType(entry.type)?.type ?? "");
      const state = await session.read(definition, entry.id);
      if (state === undefined) continue;
      const carried = buildCommonInputs(definition.type, "dynamic");
      const safe = (values: Fields) => ({ ...withoutSecrets(definition, values), ...carried });
      complete.push({ ...entry, id: state.id, inputs: safe(state.args), outputs: safe(state.outs) });
    }
    return complete;
  } finally {
    await session.close();
  }
}
