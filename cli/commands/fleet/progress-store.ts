/** The places of the record of `fleet up`: a file in the user's own folder, or objects next to the states. None is in a checkout, whose author could skip a gate. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { readJsonFileIfPresent } from "../../../automation/config-files/checked-files.js";
import { writeFileAtomically } from "../../../automation/config-files/write-file.js";
import { AutomationError } from "../../../automation/errors.js";
import { hashSha256 } from "../../../diff/digest.js";
import { type Bucket, retryBriefly } from "../../../recovery/bucket.js";
import { getJournalFolder, JOURNAL_VARIABLE } from "../../../recovery/journal.js";
import { openPlace } from "../../../recovery/open-bucket.js";
import { findFolder, makeAddressAbsolute } from "../../../trust/backend.js";
import { findCheckouts, resolveRealPath } from "../../../trust/checkout.js";
import { makePrivateFolder, removeFile } from "../../../trust/output-files.js";
import { refuseInRepository } from "../../../trust/programs.js";
import { StateAddress } from "../../../trust/state-address.js";
import type { ShardChoice } from "../../options/option-values.js";

const schema = z.object({
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  /** Digest of what was applied, by workspace. */
  done: z.record(z.string(), z.string()),
  /** Digest of what a gate has checked, by wave. */
  gates: z.record(z.string(), z.string()),
  /** How many times a machine of a shared run has claimed a workspace. */
  claims: z.record(z.string(), z.number()).default({}),
});

export type ProgressRecord = z.infer<typeof schema>;
const parts = ["done", "gates"] as const;
export type Part = (typeof parts)[number];

const RECORD = { what: "a record of workspacectl fleet", remedy: "delete or move it" };

/** Creates a record in which nothing is done. */
export function createRecord(): ProgressRecord {
  return { version: 1, startedAt: new Date().toISOString(), done: {}, gates: {}, claims: {} };
}

export interface ProgressStore {
  readonly name: string;
  read(): Promise<ProgressRecord | undefined>;
  /** Stores what was added to a record. */
  add(what: Part, name: string, record: ProgressRecord): Promise<void>;
  remove(): Promise<void>;
}

/** A record that several machines share. */
export interface SharedProgressStore extends ProgressStore {
  /** Claims a workspace. Of several machines, one gets the claim of a number. @returns whether it is this one */
  claim(name: string, number: number): Promise<boolean>;
  /** Gives back the claims of a workspace up to a number. */
  release(name: string, last: number): Promise<void>;
}

/** A record of this user for a fleet file. Shards on one machine have one each. */
export function openProgressFile(
  fleetFile: string,
  shard: ShardChoice | undefined,
  env: NodeJS.ProcessEnv,
): ProgressStore {
  const part = shard === undefined ? "" : `.${shard.index}-of-${shard.count}`;
  const folder = join(getJournalFolder(env), "fleets");
  const file = `${hashSha256(resolveRealPath(fleetFile)).slice(0, 16)}.${basename(fleetFile)}${part}.json`;
  const name = join(folder, file);
  const refuse = () => refuseInRepository("The record", name, findCheckouts(process.cwd()), ELSEWHERE);
  const work = <T>(run: () => T): Promise<T> => new Promise((done) => done(run()));
  return {
    name,
    read: () =>
      work(() => {
        if (!existsSync(name)) return undefined;
        refuse();
        return readJsonFileIfPresent(schema, name, RECORD);
      }),
    add: (_what, _name, { claims: _, ...record }) =>
      work(() => {
        refuse();
        makePrivateFolder(folder);
        writeFileAtomically(name, `${JSON.stringify(record, null, 2)}\n`);
      }),
    remove: () => work(() => removeFile(name)),
  };
}

const ELSEWHERE = `Set ${JOURNAL_VARIABLE} to a folder outside of it.`;

/**
 * The record of a named run, next to the states, which its machines share. Each workspace that is done is an object of its own, whose key says
 * all, so that one list shows what any of them has done. Removes the records of other runs of the fleet.
 * @throws {AutomationError} where the environment names no place that can have it, {Error} where it does not respond
 */
export async function openSharedProgress(
  fleetFile: string,
  run: string,
  env: NodeJS.ProcessEnv,
): Promise<SharedProgressStore> {
  const place = await openStatePlace(env);
  const fleet = `.pulumi/workspacectl/fleet/${basename(fleetFile)}/`;
  const folder = `${fleet}${run}/`;
  const list = () => retryBriefly(() => place.list(fleet));
  const machine = randomUUID();
  const buildClaimKey = (name: string, number: number) =>
    `${folder}claims/${encodeURIComponent(name)}/${number}`;
  // A run that goes on repeats what it cannot find.
  const others = (await list()).filter((key) => !key.startsWith(folder));
  if (others.length > 0) await retryBriefly(() => place.deleteAll(others));
  return {
    name: `${place.name}/${folder}`,
    async read() {
      const record = createRecord();
      for (const key of (await list()).filter((one) => one.startsWith(folder))) {
        const [part, encoded = "", value = ""] = key.slice(folder.length).split("/");
        const name = decodeURIComponent(encoded);
        const what = parts.find((one) => one === part);
        if (what !== undefined) record[what][name] = value;
        else if (part === "claims")
          record.claims[name] = Math.max(record.claims[name] ?? 0, Number.parseInt(value, 10));
      }
      return record;
    },
    add: (what, name, record) =>
      retryBriefly(() =>
        place.put(`${folder}${what}/${encodeURIComponent(name)}/${record[what][name]}`, "{}\n"),
      ),
    remove: () => Promise.resolve(),
    async claim(name, number) {
      const key = buildClaimKey(name, number);
      await retryBriefly(() => place.create(key, machine));
      return (await retryBriefly(() => place.text(key))) === machine;
    },
    release: (name, last) =>
      retryBriefly(() => place.deleteAll(Array.from({ length: last }, (_, n) => buildClaimKey(name, n + 1)))),
  };
}

async function openStatePlace(env: NodeJS.ProcessEnv): Promise<Bucket> {
  let place: Bucket | undefined;
  const address = makeAddressAbsolute(new StateAddress(env["PULUMI_BACKEND_URL"] ?? ""), process.cwd());
  const folder = findFolder(address);
  if (folder !== undefined)
    refuseInRepository("The progress of --run in", folder, [], "Name a bucket, or a folder outside of it.");
  try {
    place = await openPlace(address, env);
  } catch (error) {
    throw new AutomationError(
      `--run: ${(error as Error).message}`,
      "correct PULUMI_BACKEND_URL, and the credentials for that address",
    );
  }
  if (place !== undefined) return place;
  throw new AutomationError(
    "--run shares its progress with other machines, and PULUMI_BACKEND_URL names no bucket or folder for it",
    "set PULUMI_BACKEND_URL to the bucket of the states, such as s3://states, or use --resume on the same machine",
  );
}
