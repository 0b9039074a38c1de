/** A bucket in memory, whose answers take a random time of the clock that the test advances. */
import type { Bucket } from "../../recovery/bucket.js";
import { pause } from "../../recovery/lease.js";
import type { Random } from "../chaos/random.js";

const SLOWEST_MS = 200;

export function memoryBucket(random: Random): Bucket {
  const objects = new Map<string, string>();
  /** Lets others come in before the request arrives, and before its answer does. */
  const request = async <T>(work: () => T): Promise<T> => {
    await pause(random.below(SLOWEST_MS));
    const answer = work();
    await pause(random.below(SLOWEST_MS));
    return answer;
  };
  return {
    name: "memory",
    text: (key) => request(() => objects.get(key)),
    put: (key, body) => request(() => void objects.set(key, body)),
    create: (key, body) => request(() => !objects.has(key) && objects.set(key, body).has(key)),
    deleteAll: (keys) => request(() => keys.forEach((key) => objects.delete(key))),
    list: (prefix) => request(() => [...objects.keys()].filter((key) => key.startsWith(prefix))),
  };
}
