/**
 * The providers for Pulumi's own host of dynamic providers (`pulumi-resource-pulumi-nodejs`). It calls their methods with plain values:
 * secrets in plaintext, unknown values as a fixed text.
 */
import { stripControls } from "../../client/printable.js";
import { EngineLease } from "../../recovery/engine-lease.js";
import { openJournal } from "../../recovery/home-journal.js";
import { leaveWithEngine } from "../../recovery/parent-watchdog.js";
import type { Definition } from "../../resources/definition/definition.js";
import { readHostConfiguration } from "./host-configuration.js";
import { openPlannedArguments, readPermittedOperations } from "./permission-file.js";
import { Run } from "./provider-run.js";
import { ResourceProvider } from "./resource-provider.js";
import type { Props } from "./secret-marks.js";

/** The methods that the host calls; the shape of `pulumi.dynamic.ResourceProvider`. */
export interface DynamicProvider {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
  check(
    olds: Props,
    news: Props,
  ): Promise<{ inputs: Props; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Props,
    news: Props,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Props): Promise<{ id: string; outs: Props }>;
  read(id: string, props: Props): Promise<{ id: string; props: Props; inputs: Props }>;
  update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
  delete(id: string, props: Props): Promise<void>;
}

/** The run of this process. */
let processRun: Run | undefined;

/** The provider of a resource type in this process. */
export function createDynamicProvider(definition: Definition): DynamicProvider {
  const run = (processRun ??= startRun());
  const provider = new ResourceProvider(definition, run);
  const [check, diff] = [provider.check.bind(provider), provider.diff.bind(provider)];
  return Object.assign(provider, {
    // The host calls no other methods in a preview.
    async check(olds: Props, news: Props) {
      const checked = await check(olds, news);
      provider.notePlanned(undefined, checked.inputs);
      return checked;
    },
    diff(id: string, olds: Props, news: Props) {
      provider.notePlanned(olds, news, id);
      return diff(id, olds, news);
    },
    configure: ({ config }: Parameters<DynamicProvider["configure"]>[0]) => {
      run.configure(readHostConfiguration(config));
      return Promise.resolve();
    },
  });
}

function startRun(): Run {
  leaveWithEngine();
  const { env } = process;
  const lease = new EngineLease(env);
  const plan = { permitted: readPermittedOperations(env), planned: openPlannedArguments(env) };
  return new Run({ env, print, permit: lease, ...plan, readState: lease.readState }, () =>
    openJournal({ env, print }, lease),
  );
}

/** Prints a line: the engine shows what a provider writes to stderr. */
function print(line: string): void {
  // eslint-disable-next-line no-restricted-syntax -- this process has no other way to the engine
  process.stderr.write(`${stripControls(line)}\n`);
}
