/**
 * What is read from the files of a Pulumi project next to a workspace file. Pulumi itself reads none of them: workspacectl parses them,
 * takes what stands here, and writes it into a private folder, in which Pulumi runs.
 */
import { TrustError } from "./errors.js";
import { StateAddress } from "./state-address.js";

/** Keys of Pulumi.yaml that are used. All others are ignored: they name code, or are for people. */
export const PROJECT_KEYS = {
  name: "names the stacks' project and the namespace of configuration keys",
  config: "plain values for all stacks",
  stackConfigDir: "the folder of the stacks' files, inside the checkout",
  "backend.url": "a folder inside the checkout, or the backend that the environment or the login names",
} as const;

/** Keys of a stack's file (Pulumi.<stack>.yaml) that are used. */
export const STACK_KEYS = {
  config: "values, plain or encrypted, without those of Pulumi itself (`pulumi:...`)",
  encryptionsalt: "checks the passphrase",
  encryptedkey: "the data key, encrypted by the secrets provider",
  secretsprovider:
    "`passphrase`, a key at a cloud's own address, or the provider that the state already uses, if the backend is named outside",
  environment: "names of Pulumi ESC environments that the caller allows (`--allow-env esc:NAME`)",
} as const;

/** The settings of a project that are used. */
export interface ProjectSettings {
  readonly name: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  readonly stackConfigDir: string | undefined;
  readonly backendUrl: StateAddress | undefined;
}

/** The settings of a stack that are used. */
export interface StackSettings {
  readonly config: Readonly<Record<string, unknown>>;
  readonly encryptionsalt?: string;
  readonly encryptedkey?: string;
  readonly secretsprovider?: string;
  readonly environment?: readonly string[];
}

/** Takes the settings of Pulumi.yaml. */
export function takeProjectSettings(content: unknown): ProjectSettings {
  const { name, config, stackConfigDir, backend } = toMap(content);
  return {
    name: getText(name),
    config: withoutPulumiKeys(config),
    stackConfigDir: getText(stackConfigDir),
    backendUrl: StateAddress.in(getText(toMap(backend)["url"])),
  };
}

/**
 * Takes the settings of a stack's file.
 * @param file its path, for messages
 * @throws {TrustError} for an environment that is defined in the file: it could set any variable of Pulumi's process
 */
export function takeStackSettings(content: unknown, file: string): StackSettings {
  const { config, encryptionsalt, encryptedkey, secretsprovider, environment } = toMap(content);
  if (environment !== undefined && !isTextList(environment))
    throw new TrustError(
      "content",
      `${file} defines an environment of Pulumi ESC inline ("environment:"), which is not supported`,
      "create that environment in Pulumi ESC, and list only its name here: environment: [NAME]",
    );
  return {
    config: withoutPulumiKeys(config),
    ...pickTexts({ encryptionsalt, encryptedkey, secretsprovider }),
    ...(environment ? { environment } : {}),
  };
}

/**
 * Refuses environments of Pulumi ESC that the caller does not allow: whoever opens one reads its secrets.
 * @param isAllowed whether the caller allows the file to read `esc:NAME`
 * @throws {TrustError}
 */
export function refuseEnvironments(
  { environment = [] }: StackSettings,
  file: string,
  isAllowed: (name: string) => boolean,
): void {
  const refused = environment.find((name) => !isAllowed(`esc:${name}`));
  if (refused === undefined) return;
  throw new TrustError(
    "variable",
    `${file} names the environment ${refused} of Pulumi ESC, and the caller of the command has to allow it`,
    `add --allow-env esc:${refused}, or set WORKSPACE_AUTOMATION_ALLOW_ENV`,
  );
}

/** Forms of a secrets provider whose address belongs to the cloud, and whose parameters cannot choose another one. */
const FIXED_ADDRESS = [
  /^passphrase$/,
  /^default$/,
  /^awskms:\/\/[\w:/-]+(\?(?:(?:region|awssdk|context_\w+)=[\w-]+&?)*)?$/,
  /^gcpkms:\/\/[\w:/.-]+$/,
  /^hashivault:\/\/[\w/.-]+$/,
];

/** Whether a secrets provider can send the credentials of the run to no address that only its text names. */
export function hasFixedAddress(provider: string): boolean {
  return FIXED_ADDRESS.some((form) => form.test(provider));
}

/**
 * Refuses a secrets provider of a checkout through which credentials of the run could reach an address that only the checkout names.
 * @param source the file, for messages
 * @param inState the provider that the state uses; only of a backend that was named outside the checkout
 * @throws {TrustError}
 */
export function refuseSecretsProvider(provider: string | undefined, source: string, inState?: string): void {
  if (provider === undefined || provider === inState || hasFixedAddress(provider)) return;
  throw new TrustError(
    "address",
    `the secrets provider ${JSON.stringify(provider.split("?")[0])} is not used: it could get your credentials, and only ${source} names it, which everybody can change who may commit`,
    `If you trust it, set PULUMI_BACKEND_URL to the backend of the state, and create the stack there with "workspacectl pulumi -- stack init NAME --secrets-provider URL", which stores it in the state. If not, remove it from the file`,
  );
}

function withoutPulumiKeys(config: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(toMap(config)).filter(([key]) => !key.startsWith("pulumi:")));
}

function pickTexts<K extends string>(values: Record<K, unknown>): Partial<Record<K, string>> {
  const entries = Object.entries(values).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries) as Partial<Record<K, string>>;
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function toMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
