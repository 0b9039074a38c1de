/** The places of the record of `fleet up`: a file next to the fleet file, or an object next to the states. */
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { removeFile } from "../../../trust/output-files.js";
import { retryBriefly, type Bucket } from "../../../recovery/bucket.js";
import { openPlace } from "../../../recovery/open-bucket.js";
import { parseJsonIfValid, readJsonFileIfPresent } from "../../config-files/json-file.js";
import { CliError } from "../../errors.js";
import type { ShardChoice } from "../../options/parsers.js";
import { writeFileAtomically } from "../../terminal/write-file.js";

const schema = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  /** Name of the run, if it has one. */
  run: z.string().exactOptional(),
  /** Digest of what was applied, by workspace. */
  done: z.record(z.string(), z.string()),
  /** Digest of what a gate has checked, by wave. */
  gates: z.record(z.string(), z.string()),
});

export type ProgressRecord = z.infer<typeof schema>;

const RECORD = { what: "a record of workspacectl fleet", remedy: "delete or move it" };

export interface ProgressStore {
  readonly name: string;
  read(): Promise<ProgressRecord | undefined>;
  write(record: ProgressRecord): Promise<void>;
  remove(): Promise<void>;
}

/** Shards have one record each. */
function nameRecord(shard: ShardChoice | undefined): string {
  return `progress${shard === undefined ? "" : `.${shard.index}-of-${shard.count}`}.json`;
}

/** A record next to the fleet file. */
export function openProgressFile(fleetFile: string, shard: ShardChoice | undefined): ProgressStore {
  const name = join(dirname(fleetFile), `fleet.${nameRecord(shard)}`);
  return {
    name,
    read: async () => Promise.resolve(readJsonFileIfPresent(schema, name, RECORD)),
    write: async (record) => Promise.resolve(writeFileAtomically(name, formatRecord(record))),
    remove: async () => Promise.resolve(removeFile(name)),
  };
}

/**
 * A record next to the states, for the next machine. Each shard has one, which the next run replaces.
 * @throws {CliError} where the environment names no place that can have it
 */
export async function openProgressPlace(
  fleetFile: string,
  shard: ShardChoice | undefined,
  env: NodeJS.ProcessEnv,
): Promise<ProgressStore> {
  const url = env["PULUMI_BACKEND_URL"] ?? "";
  let place: Bucket | undefined;
  try {
    place = await openPlace(url, env);
  } catch (error) {
    throw new CliError(`--run: ${(error as Error).message}`, "correct PULUMI_BACKEND_URL and its keys");
  }
  if (place === undefined)
    throw new CliError(
      "--run needs a bucket or a folder for its record",
      "name the one of the states in PULUMI_BACKEND_URL, or use --resume on the same machine",
    );
  const key = `.pulumi/workspacectl/fleet/${basename(fleetFile)}/${nameRecord(shard)}`;
  return {
    name: `${place.name}/${key}`,
    async read() {
      const text = await retryBriefly(() => place.text(key));
      return schema.safeParse(parseJsonIfValid(text)).data;
    },
    write: (record) => retryBriefly(() => place.put(key, formatRecord(record))),
    remove: () => retryBriefly(() => place.deleteAll([key])),
  };
}

const formatRecord = (record: ProgressRecord) => `${JSON.stringify(record, null, 2)}\n`;
