/** Which operations of the engine may be answered without it. */
import { DEBUG_VARIABLE } from "../../provider/index.js";

/** What an operation of the engine may ask for. */
export interface Asked {
  readonly command: string;
  readonly refresh?: boolean;
  readonly plan?: unknown;
  readonly target?: unknown;
  readonly selection?: unknown;
  readonly ignoreProtect?: boolean;
}

/** Variables of Pulumi that change nothing of what it plans. */
const HARMLESS = new Set(
  [
    ...[
      "ACCESS_TOKEN",
      "BACKEND_URL",
      "BIN",
      "CONFIG_PASSPHRASE",
      "CONFIG_PASSPHRASE_FILE",
      "CREDENTIAL_HELPER",
    ],
    ...["CREDENTIALS_PATH", "DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "HOME", "IGNORE_AMBIENT_PLUGINS"],
    ...["SKIP_UPDATE_CHECK", "STACK", "TRACING_NO_PAYLOADS", "VERSION"],
  ].map((name) => `PULUMI_${name}`),
);

/** Whether the operation only compares the whole file with the workspace, and nothing in the environment is for the engine. */
export function asksOnlyForDifferences(
  { command, refresh, plan, target, selection, ignoreProtect }: Asked,
  env: Readonly<Record<string, string>>,
): boolean {
  const isOfAll = plan === undefined && target === undefined && selection === undefined;
  const isForEngine = (name: string) => name.startsWith("PULUMI_") && !HARMLESS.has(name);
  return (
    command === "preview" &&
    refresh === true &&
    ignoreProtect !== true &&
    isOfAll &&
    !env[DEBUG_VARIABLE] &&
    !Object.keys(env).some(isForEngine)
  );
}
