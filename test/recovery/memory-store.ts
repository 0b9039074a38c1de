/** Keeps journals in memory for tests, and pretends that the runs that wrote them were killed. */
import type { Creation, CreationUnderWay } from "../../recovery/journal.js";
import type { JournalStore } from "../../recovery/stores.js";

const KILLED = 99_999_999;

/** A journal in memory. */
export class MemoryStore implements JournalStore {
  readonly files = new Map<string, string>();
  /** Fails while it is set. */
  error: Error | undefined;
  constructor(readonly name = "memory") {}

  read() {
    if (this.error) throw this.error;
    return new Map(this.files);
  }
  append(file: string, line: string) {
    if (this.error) return Promise.reject(this.error);
    this.files.set(file, `${this.files.get(file) ?? ""}${line}\n`);
    return Promise.resolve();
  }
  remove(file: string) {
    this.files.delete(file);
    return Promise.resolve();
  }
  /** All runs that have written until now are killed. */
  kill() {
    for (const [file, text] of this.files)
      this.files.set(file, text.replace(/"pid":\d+/g, `"pid":${KILLED}`).replace(/,"owner":\{.*?\}/, ""));
  }
  lines() {
    return [...this.files.values()].flatMap((text) =>
      text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Record<string, unknown>])),
    );
  }
}

export const group = { type: "Group", address: "https://host/workspaces/acme", key: "QA" };
export const stack = "urn:pulumi:dev::app::";
export const creation: Creation = {
  urn: `${stack}Group::QA`,
  inputs: { name: "QA", description: "x" },
  secrets: [],
};
export const change = { op: "update", urn: `${stack}Group::QA`, id: "acme/9" } as const;

/** The creation, as the provider passes it on. */
export const underWay: CreationUnderWay = { ...creation, finding: new Set(["name"]) };
