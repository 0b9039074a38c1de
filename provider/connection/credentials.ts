/** The credentials file that `workspacectl login` writes: its location, its content and its changes. */
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import envPaths from "env-paths";
import { z } from "zod";
import { describeInvalid } from "../../resources/definition/problems.js";
import { ProviderError } from "../../resources/errors.js";

const tokens = z.looseObject({
  accessToken: z.string(),
  /** Times are milliseconds since the epoch. */
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
  refreshToken: z.string().optional(),
  refreshTokenExpiresAt: z.number().optional(),
  /** The granted scopes, where the service returned them. */
  scopes: z.array(z.string()).optional(),
});

const storedOAuth = z.looseObject({
  grant: z.enum(["authorization_code", "client_credentials"]),
  clientId: z.string(),
  clientSecret: z.string().optional(),
  scopes: z.array(z.string()),
  /** Port of the redirect address, for the next login. */
  port: z.number().optional(),
  tokens: tokens.optional(),
});

const storedConnection = z.looseObject({
  baseUrl: z.string().optional(),
  workspace: z.string().optional(),
  allowInsecure: z.string().optional(),
  /** Path of the profile of the service. */
  profile: z.string().optional(),
  /** A personal access token. */
  token: z.string().optional(),
  oauth: storedOAuth.optional(),
  /** Address of the consent page, which the service's API does not name. */
  authorizeUrl: z.string().optional(),
});

const storedClient = z.looseObject({
  baseUrl: z.string(),
  clientName: z.string().optional(),
  clientSecret: z.string().optional(),
  registrationAccessToken: z.string().optional(),
  redirectUris: z.array(z.string()).optional(),
});

const document = z.looseObject({
  connections: z.record(z.string(), storedConnection).default({}),
  oauthClients: z.record(z.string(), storedClient).default({}),
});

/** Tokens of an OAuth login, and everything that renews them. */
export type StoredOAuth = z.infer<typeof storedOAuth>;
/** A connection with a login. */
export type StoredConnection = z.infer<typeof storedConnection>;
/** A registered OAuth client with stored secrets. */
export type StoredClient = z.infer<typeof storedClient>;

/** The content of the file: connections by name, OAuth clients by id. */
export type Credentials = z.infer<typeof document> & {
  /** The file. Renewed tokens are written to it. */
  readonly file: string;
};

type Env = Readonly<Record<string, string | undefined>>;

const getOwnFolder = (): string => envPaths("workspacectl", { suffix: "" }).config;

/** The path of the credentials file. */
export function getCredentialsFile(env: Env = process.env): string {
  return env["WORKSPACE_AUTOMATION_CREDENTIALS"] || join(getOwnFolder(), "credentials.json");
}

/**
 * The stored credentials; nothing when there is no file.
 * @throws {ProviderError} when the file cannot be read or has invalid content; never quotes its values
 */
export function readCredentials(file: string = getCredentialsFile()): Credentials {
  return { ...parse(file, readText(file)), file };
}

/**
 * Changes the file while no other process does.
 * @param change changes the credentials; nothing is written when it returns false
 */
export async function updateCredentials(
  file: string,
  change: (credentials: Credentials) => void | false,
): Promise<void> {
  await runLocked(file, () => writeChanged(file, change));
}

/** The same, for a caller that already has the lock. */
export async function writeChanged(
  file: string,
  change: (credentials: Credentials) => void | false,
): Promise<void> {
  const credentials = readCredentials(file);
  if (change(credentials) === false) return;
  const { file: _file, ...content } = credentials;
  const { default: writeFileAtomic } = await import("write-file-atomic");
  try {
    await writeFileAtomic(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw createUnwritableError(file, error);
  }
}

/** A refresh may take as long as the slowest response of the service. */
const LOCK = { stale: 20_000, retries: { retries: 400, factor: 1.2, minTimeout: 20, maxTimeout: 250 } };

/** Runs work while no other process on this machine changes the file: a refresh token is often good for one use. */
export async function runLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  const { default: lockfile } = await import("proper-lockfile");
  let release: () => Promise<void>;
  try {
    makeFolder(dirname(file));
    release = await lockfile.lock(file, { ...LOCK, realpath: false, onCompromised: () => undefined });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw createUnwritableError(file, error);
    throw new ProviderError(
      "no-connection",
      `${file} has been in use by another process for more than a minute`,
      `wait for it, or delete ${file}.lock if there is none`,
    );
  }
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}

/** Restricts our own folder to the user. A folder that the user named may contain other files, so its mode does not change. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (folder === getOwnFolder()) chmodSync(folder, 0o700);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ProviderError(
      "no-connection",
      `${file} cannot be read (${code})`,
      "make it readable for this user, or choose another with WORKSPACE_AUTOMATION_CREDENTIALS",
    );
  }
}

function parse(file: string, text: string | undefined): z.infer<typeof document> {
  let value: unknown;
  try {
    value = text === undefined ? {} : JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw createUnusableError(file, "it is not valid JSON");
  }
  const result = document.safeParse(value);
  if (result.success) return result.data;
  throw createUnusableError(file, describeInvalid(result.error));
}

function createUnusableError(file: string, problem: string): ProviderError {
  return new ProviderError(
    "no-connection",
    `${file} cannot be used: ${problem}`,
    'Correct it, or delete it and run "workspacectl login" again',
  );
}

function createUnwritableError(file: string, error: unknown): ProviderError {
  const { code } = error as NodeJS.ErrnoException;
  return new ProviderError(
    "no-connection",
    `${file} cannot be written (${code ?? "unknown reason"})`,
    "make its folder writable for this user, or choose another file with WORKSPACE_AUTOMATION_CREDENTIALS",
    { cause: error },
  );
}
