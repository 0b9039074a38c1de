/** The configuration of a dynamic provider: that of the stack, or the settings of an explicit provider. */
import { suggestOr } from "../../resources/definition/problems.js";
import { ProviderError } from "../../resources/errors.js";
import { connectionKeys } from "../connection/connection.js";

/** Prefix of the settings in a stack's configuration. An explicit provider may have it, too. */
export const SETTING_PREFIX = "workspace-automation:";

/** Settings that the engine sends to every provider, or that only programs use. */
export const otherSettings = ["version", "pluginDownloadURL", "__internal", "engine"];

/** What Pulumi's host passes. Its class has the settings in `rawConfig`, without their names in its type. */
interface HostConfiguration {
  get(key: string): string | undefined;
  readonly rawConfig?: Readonly<Record<string, string>>;
}

/** Returns the function that reads a setting. It fails for an explicit provider with a setting that would have no effect. */
export function readHostConfiguration(config: HostConfiguration): (key: string) => string | undefined {
  const raw = config.rawConfig ?? {};
  // Keys of the stack's configuration have a namespace.
  const unknown = Object.keys(raw).filter(
    (key) => !key.includes(":") && ![...connectionKeys, ...otherSettings].includes(key),
  );
  return (key) => {
    const [first] = unknown;
    if (first !== undefined)
      throw new ProviderError(
        "no-connection",
        `the provider has an unknown setting "${first}"`,
        suggestOr(first, connectionKeys, `its settings are ${connectionKeys.join(", ")}`),
      );
    return (
      config.get(key) ?? (key.startsWith(SETTING_PREFIX) ? raw[key.slice(SETTING_PREFIX.length)] : undefined)
    );
  };
}
