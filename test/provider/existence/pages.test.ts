/** Tests what is concluded from the lists of a service with small pages, or without those that are requested. */
import { describe, expect, it } from "vitest";
import { Session } from "../../../provider/connection/session.js";
import { findUnmanaged } from "../../../provider/discovery/unmanaged.js";
import { Engine } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();

/** A service that returns the first page of variables, whatever page is requested. */
const unpaged: typeof fetch = (address, init) => {
  const url = new URL(address instanceof Request ? address.url : address);
  if (url.pathname.endsWith("/variables")) url.searchParams.delete("page");
  return fetch(url, init);
};

/** Adds unmanaged variables. @returns their keys */
async function addVariables(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, index) => `K${index}`);
  for (const key of keys) await fresh.api.variables.create("acme", { key, value: "v" });
  return keys;
}

async function search(client = {}) {
  const { baseUrl, token, workspace } = fresh.emulator;
  const session = new Session({ baseUrl, token, workspace, allowInsecure: false }, { client });
  try {
    const includes = (_type: string, holder: string) => holder === "workspace";
    return await findUnmanaged(session, { managed: [], named: [], includes });
  } finally {
    await session.close();
  }
}

describe("the search for what no file declares", () => {
  it.each([3, 7, 13, 19])("is complete where a page has at most %i items", async (maxPerPage) => {
    fresh.emulator.settings.maxPerPage = maxPerPage;
    const keys = await addVariables(maxPerPage + 2);
    const { found, unlisted } = await search();
    expect(found.filter(({ type }) => type === "Variable").map(({ key }) => key)).toEqual(keys);
    expect(unlisted).toEqual([]);
  });

  it("takes one request more for the longest list, and none for shorter ones", async () => {
    await addVariables(9);
    fresh.emulator.journal.clear();
    await search();
    const paths = fresh.emulator.journal.requests.map(({ path }) => path.split("/").at(-1));
    expect(paths.filter((one) => one === "variables")).toHaveLength(2);
    expect(paths.filter((one) => one !== "variables").length).toBe(new Set(paths).size - 1);
  });

  it("says that it may not be complete where the service ignores the page", async () => {
    fresh.emulator.settings.maxPerPage = 10;
    await addVariables(12);
    const { found, unlisted } = await search({ fetch: unpaged });
    expect(found.filter(({ type }) => type === "Variable")).toHaveLength(10);
    expect(unlisted.map(({ type }) => type)).toEqual(["Variable"]);
    expect(unlisted[0]?.reason).toContain("does not return the pages that are requested");
  });
});

describe("a creation", () => {
  it("is refused where nobody knows whether the object exists, as the service ignores the page", async () => {
    fresh.emulator.settings.maxPerPage = 10;
    await addVariables(12);
    const { baseUrl, token, workspace } = fresh.emulator;
    const engine = new Engine(baseUrl, token, workspace, "dynamic", undefined, { fetch: unpaged });
    fresh.emulator.journal.clear();
    await expect(engine.create("Variable", { key: "K11", value: "mine", adopt: true })).rejects.toThrow(
      /variable "K11" .*was not created, because it may already exist/,
    );
    await engine.create("Group", { name: "QA" });
    const found = await engine.create("Variable", { key: "K1", value: "mine", adopt: true });
    expect(found.outs).toMatchObject({ value: "mine" });
    expect(fresh.emulator.journal.writes().map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  });
});
