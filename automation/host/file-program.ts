/** Runs a workspace file as a Pulumi program, and stands for a program that is not run. */
import { parseLogicalName } from "../../components/urn.js";
import {
  canonicalizeName,
  type Connection,
  type DeclaredReferences,
  type ProviderEngine,
} from "../../provider/index.js";
import { type ConfigValue, listTreeSecrets } from "../../workspace-file/index.js";
import {
  formatCredentialsHint,
  type LoadedFile,
  type LoadOptions,
  readDeclarations,
  type ResourceDeclaration,
  WorkspaceFileError,
} from "../../workspace-file/load/load.js";

/** Facts about the run that the program receives. */
interface ProgramInput {
  readonly stack: string;
  /** Reads a value of the stack's configuration; a key without a namespace belongs to the project. */
  readonly config: (key: string) => ConfigValue | undefined;
}

export interface FileProgram {
  readonly project: string;
  /** The connection of its resources. */
  readonly connection: Connection;
  /** Returns a value of the stack's configuration, once the program has run. */
  config(key: string): string | undefined;
  /** Engine of its resources. */
  readonly engine: ProviderEngine;
  /** Secrets that placeholders have resolved to; complete once the program has run. */
  readonly secrets: ReadonlySet<string>;
  /** The references to secrets that the file has now, also while the engine refreshes and before the program runs. */
  readonly references: DeclaredReferences;
  /** @throws {Error} with all problems of the file */
  declare(input: ProgramInput): readonly ResourceDeclaration[];
}

interface FileProgramOptions {
  readonly file: string;
  readonly project: string;
  readonly engine: ProviderEngine;
  readonly reading: LoadOptions;
  readonly connection: Connection;
}

export function createFileProgram(options: FileProgramOptions): FileProgram {
  const { file, project, engine, reading } = options;
  const secrets = new Set<string>();
  let configured: (key: string) => string | undefined = () => undefined;
  let present: PresentReferences | undefined;
  // Only the program knows the configuration, on which the references depend only where it is part of a name.
  const read = () => (present ??= new PresentReferences(readIfValid(file, reading)));
  return {
    config: (key) => configured(key),
    project,
    connection: options.connection,
    engine,
    secrets,
    references: {
      has: (...question) => read().has(...question),
      file: (path) => read().file(path),
    },
    declare({ stack, config }) {
      configured = (key) => config(key)?.value;
      const declared = readDeclarations(file, { stack, config, secretsLater: true, ...reading });
      const connection = config("workspace-automation:connection")?.value ?? options.connection.name;
      if (declared.connection !== undefined && declared.connection !== connection)
        throw new Error(formatCredentialsHint(file, declared.connection, connection));
      for (const secret of listTreeSecrets(declared.tree)) secrets.add(secret);
      present = new PresentReferences(declared);
      return declared.declarations;
    },
  };
}

/** Stands for a program of the user that is not run: the engine only reads the objects in the state. */
export function createStateProgram({ project, engine, connection }: FileProgramOptions): FileProgram {
  return {
    project,
    engine,
    connection,
    secrets: new Set(),
    config: () => undefined,
    // Nothing in a state says that a reference may be opened.
    references: { has: () => false, file: () => undefined },
    declare: () => [],
  };
}

/** The references of a file; none if it is invalid. */
class PresentReferences implements DeclaredReferences {
  private readonly byName: ReadonlyMap<string, ResourceDeclaration>;
  private readonly spelled: ReadonlyMap<string, ResourceDeclaration>;

  constructor(private readonly loaded: LoadedFile | undefined) {
    const declarations = loaded?.declarations ?? [];
    const former = declarations.flatMap((one) => one.formerNames.map((name) => [name, one] as const));
    this.byName = new Map([...former, ...declarations.map((one) => [one.name, one] as const)]);
    this.spelled = new Map(declarations.map((one) => [canonicalizeName(one.name), one]));
  }

  has(...[{ type, urn = "" }, argument, { origin, name }]: Parameters<DeclaredReferences["has"]>): boolean {
    const logicalName = parseLogicalName(urn);
    const declaration = this.byName.get(logicalName) ?? this.spelled.get(canonicalizeName(logicalName));
    if (declaration?.definition.type !== type || !Object.hasOwn(declaration.references, argument))
      return false;
    const { references = [] } = declaration.references[argument] ?? {};
    return references.some((one) => one.origin === origin && one.name === name);
  }

  file(path: string): string | undefined {
    return this.loaded?.secretFile(path);
  }
}

function readIfValid(file: string, reading: LoadOptions): LoadedFile | undefined {
  try {
    return readDeclarations(file, { ...reading, mock: "config", secretsLater: true });
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}
