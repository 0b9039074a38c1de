/** Tests which failures of a store may pass, and how long they are waited for. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getFolderOfAddress, Passing, retryBriefly, storeError } from "../../recovery/bucket.js";

describe("a failure of a store", () => {
  it.each([undefined, 408, 429, 500, 502, 503, 504])("may pass: %s", (status) => {
    expect(storeError(status, "away")).toBeInstanceOf(Passing);
  });

  it.each([400, 401, 403, 404, 409, 412, 501])("stays: %i", (status) => {
    const error = storeError(status, "denied");
    expect(error).not.toBeInstanceOf(Passing);
    expect(error.message).toBe("denied");
  });
});

describe("a request to a store", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("is repeated until the failure has passed", async () => {
    let attempts = 0;
    const work = () => (++attempts < 3 ? Promise.reject(new Passing("away")) : Promise.resolve("there"));
    expect(await retryBriefly(work)).toBe("there");
    expect(attempts).toBe(3);
  });

  it("is not repeated after any other failure, or for longer than a minute", async () => {
    let attempts = 0;
    const refused = () => Promise.reject(new Error(`denied ${++attempts}`));
    await expect(retryBriefly(refused)).rejects.toThrow("denied 1");
    attempts = 0;
    const away = () => {
      vi.setSystemTime(Date.now() + 30_000);
      return Promise.reject(new Passing(`away ${++attempts}`));
    };
    await expect(retryBriefly(away)).rejects.toThrow("away 3");
  });
});

it("keeps its objects in the folder of its address", () => {
  const of = (address: string) => getFolderOfAddress(new URL(address));
  expect(of("gs://state")).toBe("");
  expect(of("gs://state//a/b%20c/")).toBe("a/b c/");
});
