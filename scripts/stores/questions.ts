/** What a store must do for states, locks and journals. Each question is asked through the bucket that the commands use. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Bucket, retryBriefly } from "../../recovery/bucket.js";

/** Opens the store as another machine would, with connections of its own. */
export type OpenStore = () => Promise<Bucket>;

/** A question, as the statement that holds if the answer is yes. */
export type Question = readonly [statement: string, ask: (open: OpenStore) => Promise<boolean>];

const MANY = 1_050;
const AT_ONCE = 50;

/** Opens the store, and names a folder that nobody else uses. */
async function begin(open: OpenStore) {
  return { bucket: await open(), other: await open(), folder: `questions/${randomUUID()}/` };
}

/** A bucket that tries again as the commands do. */
export function tryAgain(bucket: Bucket): Bucket {
  return {
    name: bucket.name,
    text: (key) => retryBriefly(() => bucket.text(key)),
    put: (key, body) => retryBriefly(() => bucket.put(key, body)),
    create: (key, body) => retryBriefly(() => bucket.create(key, body)),
    deleteAll: (keys) => retryBriefly(() => bucket.deleteAll(keys)),
    list: (prefix) => retryBriefly(() => bucket.list(prefix)),
    removeEmptyFolder: async (folder) => bucket.removeEmptyFolder?.(folder),
  };
}

const equal = (one: readonly unknown[], other: readonly unknown[]) => isDeepStrictEqual(one, other);

export const questions: readonly Question[] = [
  [
    "returns what was written, byte for byte",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      const text = `{ "a": "ü\u2028\u{1F600}" }\r\n\n`;
      await bucket.put(`${folder}a.json`, text);
      return (await other.text(`${folder}a.json`)) === text;
    },
  ],
  [
    "returns nothing for a key that does not exist",
    async (open) => {
      const { bucket, folder } = await begin(open);
      return (await bucket.text(`${folder}a.json`)) === undefined;
    },
  ],
  [
    "replaces an object in one step",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      const texts = ["a".repeat(100_000), "b".repeat(100_000)];
      const read: (string | undefined)[] = [];
      for (let i = 0; i < 20; i += 1) {
        const written = bucket.put(`${folder}a`, texts[i % 2] ?? "");
        read.push(...(await Promise.all([1, 2, 3].map(() => other.text(`${folder}a`)))));
        await written;
      }
      return read.every((one) => one === undefined || texts.includes(one));
    },
  ],
  [
    "refuses to create an object that exists",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      const written = [await bucket.create(`${folder}a`, "ours"), await other.create(`${folder}a`, "theirs")];
      return written[0] === true && written[1] === false && (await bucket.text(`${folder}a`)) === "ours";
    },
  ],
  [
    "writes one of 50 creations at once",
    async (open) => {
      const { bucket, folder } = await begin(open);
      const stores = await Promise.all(Array.from({ length: AT_ONCE }, () => open()));
      const written = await Promise.all(stores.map((one, i) => one.create(`${folder}a`, String(i))));
      return (
        written.filter(Boolean).length === 1 &&
        (await bucket.text(`${folder}a`)) === String(written.indexOf(true))
      );
    },
  ],
  [
    "lists a new object at once, for everybody",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      await other.list(folder);
      await bucket.put(`${folder}a`, "x");
      return (
        equal(await other.list(folder), [`${folder}a`]) && equal(await bucket.list(folder), [`${folder}a`])
      );
    },
  ],
  [
    "neither lists nor returns a deleted object",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      for (const key of ["a", "b"]) await bucket.put(folder + key, "x");
      await bucket.deleteAll([`${folder}a`, `${folder}c`]);
      return (
        equal(await other.list(folder), [`${folder}b`]) && (await other.text(`${folder}a`)) === undefined
      );
    },
  ],
  [
    "shows nothing in the place of an emptied folder",
    async (open) => {
      const { bucket, folder } = await begin(open);
      await bucket.put(`${folder}locks/a`, "x");
      await bucket.deleteAll([`${folder}locks/a`]);
      await bucket.removeEmptyFolder?.(`${folder}locks/`);
      return (await bucket.list(folder)).length === 0;
    },
  ],
  [
    "lists what begins with a text, and nothing else",
    async (open) => {
      const { bucket, folder } = await begin(open);
      const keys = ["dev/a.json", "dev2/b.json", "dev.c.json"].map((key) => folder + key);
      for (const key of keys) await bucket.put(key, "x");
      return (
        equal(await bucket.list(`${folder}dev/`), keys.slice(0, 1)) &&
        (await bucket.list(`${folder}dev`)).length === 3
      );
    },
  ],
  [
    "lists by bytes",
    async (open) => {
      const { bucket, folder } = await begin(open);
      const keys = ["a-b", "a.b", "a/b", "a0", "aB", "a_b"].map((key) => folder + key);
      for (const key of keys.toReversed()) await bucket.put(key, "x");
      return equal(await bucket.list(folder), keys);
    },
  ],
  [
    "keeps blanks and signs of a key",
    async (open) => {
      const { bucket, other, folder } = await begin(open);
      const keys = ["a b&c", "a+b", "a=b(1)", "ü"].map((key) => folder + key);
      for (const key of keys) await bucket.put(key, key);
      const texts = await Promise.all(keys.map((key) => other.text(key)));
      return equal(await other.list(folder), keys) && equal(texts, keys);
    },
  ],
  [
    "lists each of 1,050 objects once",
    async (open) => {
      const { bucket, folder } = await begin(open);
      const keys = Array.from({ length: MANY }, (_, i) => `${folder}${String(i).padStart(5, "0")}.jsonl`);
      for (let i = 0; i < MANY; i += 10)
        await Promise.all(keys.slice(i, i + 10).map((key) => bucket.put(key, "x")));
      const listed = await bucket.list(folder);
      await bucket.deleteAll(keys.slice(0, 1_000));
      return equal(listed, keys) && (await bucket.list(folder)).length === MANY - 1_000;
    },
  ],
];
