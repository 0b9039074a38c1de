/**
 * The environment of programs that need no credentials: tar, and Pulumi while it only says its version. It is a list of
 * what they get. Everything else stays out, whatever its name is.
 */
import { delimiter, isAbsolute } from "node:path";
import { filterPath, findCheckoutWith } from "./programs.js";

/** Every program: where it runs, as whom, and in which language it writes. */
const COMMON = [
  ...["USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ"],
  // Windows starts no program without them.
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "NUMBER_OF_PROCESSORS"],
];
const COMMON_PATHS = [
  "HOME",
  "TMPDIR",
  "TMP",
  "TEMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
];

const lists = {
  /** Only looks at files. */
  local: { values: COMMON, paths: COMMON_PATHS },
  /** Says its version, for which it may create its home. */
  pulumi: { values: COMMON, paths: [...COMMON_PATHS, "PULUMI_HOME"] },
} as const;

/**
 * Returns the environment of a program. A path is omitted when it is relative, because it would change its meaning with the program's
 * working directory, and when it leads into a checkout, where settings of anybody may lie.
 */
export function createChildEnvironment(
  kind: keyof typeof lists,
  env: NodeJS.ProcessEnv,
  checkouts: readonly string[],
): Record<string, string> {
  const { values, paths } = lists[kind];
  const isOutside = (path: string) => isAbsolute(path) && findCheckoutWith(path, checkouts) === undefined;
  const entries = [
    ...values.flatMap((name) => listVariablesNamed(name, env)),
    ...paths
      .flatMap((name) => listVariablesNamed(name, env))
      .filter(([, value]) => value.split(delimiter).every(isOutside)),
  ];
  return { ...Object.fromEntries(entries), PATH: filterPath(env, checkouts) };
}

/** Finds a variable. Windows ignores the case of its name, but a copy of the environment does not. */
function listVariablesNamed(name: string, env: NodeJS.ProcessEnv): [string, string][] {
  const same = (other: string) =>
    process.platform === "win32" ? other.toUpperCase() === name.toUpperCase() : other === name;
  const found = Object.keys(env).find(same);
  const value = found === undefined ? undefined : env[found];
  return value ? [[name, value]] : [];
}
