/** The configuration of the packaged plugin: the settings of a connection. */
import { asSecret, hasUnknown, withoutMarks } from "../../../diff/values.js";
import { formatHint } from "../../../resources/definition/problems.js";
import { connectionKeys as settings } from "../../connection/connection.js";
import { otherSettings, SETTING_PREFIX } from "../host-configuration.js";
import type { Props } from "../secret-marks.js";

/** Returns the problems of a configuration, one line each. Never quotes a value, which may be secret. */
export function listConfigurationProblems(config: Props): string[] {
  return Object.entries(withoutMarks(withShortNames(config)) as Props).flatMap(([name, value]) => {
    if (otherSettings.includes(name) || hasUnknown(value)) return [];
    if (!(settings as readonly string[]).includes(name))
      return [
        `${name}: unknown setting${formatHint(name, settings) || `; the settings are ${settings.join(", ")}`}`,
      ];
    if (name === "allowInsecure" && typeof value === "boolean") return [];
    if (typeof value !== "string" || value === "") return [`${name}: must be a non-empty string`];
    if (name === "baseUrl" && !/^https?:\/\/[^\s/]/i.test(value))
      return ["baseUrl: must be an address that begins with https:// (or http:// for this machine)"];
    if (name === "allowInsecure" && value !== "true" && value !== "false")
      return ["allowInsecure: must be true or false"];
    return [];
  });
}

/** Removes all values except the settings of a connection and those that the engine sends. */
export function pickOwnSettings(config: Props): Props {
  const known: readonly string[] = [...settings, ...otherSettings];
  return Object.fromEntries(Object.entries(config).filter(([name]) => known.includes(name)));
}

/** Converts the configuration to the form that the engine stores: texts, with the token as a secret. */
export function checkConfiguration(config: Props): Props {
  return Object.fromEntries(
    Object.entries(withShortNames(config)).map(([name, value]) => [
      name,
      name === "token" ? asSecret(value) : typeof value === "boolean" ? String(value) : value,
    ]),
  );
}

/** Accepts the names of a stack's configuration, too, so that a provider has the same settings with both engines. */
function withShortNames(config: Props): Props {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name.startsWith(SETTING_PREFIX) ? name.slice(SETTING_PREFIX.length) : name,
      value,
    ]),
  );
}

/** Renames the settings to their keys in a stack's configuration. */
export function asStackConfiguration(config: Props): Props {
  const plain = withoutMarks(config) as Props;
  return Object.fromEntries(settings.map((name) => [`workspace-automation:${name}`, plain[name]]));
}
