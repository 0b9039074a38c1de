/** The configuration of the packaged plugin: the settings of a connection, under their own names. */
import { hint } from "../../definition/problems.js";
import { asSecret, hasUnknown, withoutMarks } from "../../../diff/values.js";
import type { Props } from "../grpc.js";

const settings = ["connection", "baseUrl", "token", "workspace", "allowInsecure"] as const;

/** What the engine itself tells every provider, and what is a matter of programs. */
const others = ["version", "pluginDownloadURL", "__internal", "engine"];

/** What is wrong with a configuration, one line each. Never quotes a value. */
export function configurationProblems(config: Props): string[] {
  return Object.entries(withoutMarks(config) as Props).flatMap(([name, value]) => {
    if (others.includes(name) || hasUnknown(value)) return [];
    if (!(settings as readonly string[]).includes(name))
      return [
        `${name}: there is no such setting${hint(name, settings) || `; there are ${settings.join(", ")}`}`,
      ];
    if (name === "allowInsecure" && typeof value === "boolean") return [];
    if (typeof value !== "string" || value === "") return [`${name}: must be a text that is not empty`];
    if (name === "baseUrl" && !/^https?:\/\/[^\s/]/i.test(value))
      return ["baseUrl: must be an address that begins with https:// (or http:// for one of this machine)"];
    if (name === "allowInsecure" && value !== "true" && value !== "false")
      return ["allowInsecure: must be true or false"];
    return [];
  });
}

/** The settings of a connection among other values, and what the engine tells. */
export function ownSettings(config: Props): Props {
  const known: readonly string[] = [...settings, ...others];
  return Object.fromEntries(Object.entries(config).filter(([name]) => known.includes(name)));
}

/** The configuration as the engine is to keep it: texts, and the token a secret. */
export function checkedConfiguration(config: Props): Props {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      name === "token" ? asSecret(value) : typeof value === "boolean" ? String(value) : value,
    ]),
  );
}

/** The settings under the keys that a stack's configuration has for them. */
export function asStackConfiguration(config: Props): Props {
  const plain = withoutMarks(config) as Props;
  return Object.fromEntries(settings.map((name) => [`workspace-automation:${name}`, plain[name]]));
}
