/** Runs a workspace file as a Pulumi program. */
import type { Connection, ProviderEngine } from "../../../provider/index.js";
import { secretTexts, type ConfigValue } from "../../../workspace-file/index.js";
import {
  credentialsHint,
  readDeclarations,
  type ResourceDeclaration,
  type LoadOptions,
} from "../../../workspace-file/load/index.js";

/** Facts about the run that the program receives. */
export interface ProgramInput {
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
  /** @throws {Error} with all problems of the file */
  declare(input: ProgramInput): readonly ResourceDeclaration[];
}

export interface FileProgramOptions {
  readonly file: string;
  readonly project: string;
  readonly engine: ProviderEngine;
  readonly reading: LoadOptions;
  readonly connection: Connection;
}

export function fileProgram(options: FileProgramOptions): FileProgram {
  const { file, project, engine, reading } = options;
  const secrets = new Set<string>();
  let configured: (key: string) => string | undefined = () => undefined;
  return {
    config: (key) => configured(key),
    project,
    connection: options.connection,
    engine,
    secrets,
    declare({ stack, config }) {
      configured = (key) => config(key)?.value;
      const declared = readDeclarations(file, { stack, config, secretsLater: true, ...reading });
      const connection = config("workspace-automation:connection")?.value ?? options.connection.name;
      if (declared.connection !== undefined && declared.connection !== connection)
        throw new Error(credentialsHint(file, declared.connection, connection));
      for (const secret of secretTexts(declared.tree)) secrets.add(secret);
      return declared.declarations;
    },
  };
}
