/** Watches what a play does in this process: which programs it starts, whom it connects to, what it says, and what it would apply. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { AutomationError } from "../../../automation/errors.js";
import { ServiceError } from "../../../client/errors.js";
import { RecoveryError } from "../../../recovery/errors.js";
import { ProviderError } from "../../../resources/errors.js";
import { TrustError } from "../../../trust/errors.js";
import { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { Secrets } from "../../e2e/canary/secrets.js";

/** One try of an attacker. */
export interface Play {
  /** Such as "forged file" or "settings of Git". */
  readonly kind: string;
  readonly title: string;
  /** What is done: what would be sent, applied, approved or written. Texts that are shown are in it, too. */
  readonly act: () => unknown;
  /** What has to be done, unless the play is refused. */
  readonly expected: unknown;
  /** Programs that it may start, by name. */
  readonly programs?: readonly string[];
  /** Marks of programs that must not have run. */
  readonly marks?: () => readonly string[];
}

/** What a play does, and the texts that it shows meanwhile. */
export class Said {
  constructor(
    readonly texts: readonly string[],
    readonly value: unknown,
  ) {}
}

const REFUSALS = [
  AutomationError,
  ServiceError,
  ProviderError,
  RecoveryError,
  TrustError,
  WorkspaceFileError,
];
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Secrets of the job in which plays run, as variables of its environment. */
export const secrets = new Secrets();
export const environment: NodeJS.ProcessEnv = Object.fromEntries(
  ["GITHUB_TOKEN", "WORKSPACE_AUTOMATION_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "AWS_SECRET_ACCESS_KEY"].map(
    (name) => [name, secrets.text(name)],
  ),
);

/** Plays, and returns everything that must not happen. */
export async function judge(play: Play): Promise<string[]> {
  const { programs = [], marks = () => [] } = play;
  const wrongs: string[] = [];
  const children: ChildProcess[] = [];
  const started = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", started);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its socket below
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const host = readHost(args);
    if (!LOOPBACK.test(host)) wrongs.push(`connected to ${host}`);
    return connect.apply(this, args as never);
  };
  try {
    const { does, says, crash } = await attempt(play.act);
    if (crash !== undefined) wrongs.push(`ended unexpectedly: ${crash}`);
    else if (does !== undefined && !isDeepStrictEqual(does.value, play.expected))
      wrongs.push(`did something else: ${JSON.stringify(does.value)}`);
    wrongs.push(...secrets.in(says).map((where) => `said a secret: ${where}`));
  } finally {
    Socket.prototype.connect = connect;
    unsubscribe("child_process", started);
  }
  const names = children.map(({ spawnfile }) => basename(spawnfile));
  wrongs.push(
    ...names.filter((name) => !programs.includes(name)).map((name) => `started a program: ${name}`),
  );
  return [...wrongs, ...marks().map((mark) => `a program ran: ${mark}`)];
}

interface Attempt {
  /** Undefined for a refusal. */
  readonly does?: { readonly value: unknown };
  readonly says: string;
  readonly crash?: string;
}

async function attempt(act: Play["act"]): Promise<Attempt> {
  try {
    const given: unknown = await act();
    const { value, texts } = given instanceof Said ? given : new Said([], given);
    return { does: { value }, says: [...texts, JSON.stringify(value) ?? ""].join("\n") };
  } catch (error) {
    const { message, stack = "" } = error as Error;
    const remedy = "remedy" in (error as Error) ? String((error as { remedy: unknown }).remedy) : "";
    const says = `${message}\n${remedy}`;
    return REFUSALS.some((kind) => error instanceof kind)
      ? { says }
      : { says, crash: stack.split("\n").slice(0, 3).join(" ") };
  }
}

/** The first argument of `connect` is a list of normalized ones, the options, a port, or the path of a pipe. */
function readHost(args: readonly unknown[]): string {
  const [first, host] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null) return (first as { host?: string }).host ?? "localhost";
  return typeof host === "string" ? host : "localhost";
}
