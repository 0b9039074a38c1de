/**
 * Remembers what a client has created in the last seconds. Reads of a service may lag behind its writes: for a moment, it does not know
 * what it has just created.
 */
import type { ServiceError } from "./errors.js";

/** How long an object may not be shown after its creation. */
const LONGEST_LAG_MS = 8000;
const PAUSES_MS = [100, 200, 400, 800, 1600];

/** What matters of a request. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly bearer?: unknown;
}

interface OwnCreation {
  /** Where it may be read: by its number, and by its name. */
  readonly paths: readonly string[];
  /** The last segments of the paths, by which other requests refer to it. */
  readonly names: readonly string[];
  readonly until: number;
  waits: number;
}

export class OwnCreations {
  private created: OwnCreation[] = [];

  /** Notes what a request has created, or deleted. */
  note({ method, path, bearer }: Sent, response: unknown, now: number): void {
    if (method === "DELETE") this.drop(path);
    if (method !== "POST" || bearer !== undefined || typeof response !== "object" || response === null)
      return;
    while (this.created[0] !== undefined && this.created[0].until <= now) this.created.shift();
    const { id, name } = response as Readonly<Record<string, unknown>>;
    const names = [id, name]
      .filter((one) => typeof one === "number" || (typeof one === "string" && one !== "" && one.length < 200))
      .map(String);
    const paths = names.map((one) => `${path}/${encodeURIComponent(one)}`);
    if (names.length > 0) this.created.push({ paths, names, until: now + LONGEST_LAG_MS, waits: 0 });
  }

  /** The creation that a failed request concerns, and how long to wait for it. */
  find(
    { path, query, body }: Sent,
    { code }: ServiceError,
    now: number,
  ): { readonly paths: readonly string[]; readonly waitMs: number } | undefined {
    this.created = this.created.filter(({ until }) => until > now);
    // A service may deny access to what it does not know (yet).
    const isPathConcerned = code === "not-found" || code === "denied";
    const areNamesConcerned = code === "not-found" || code === "invalid-value";
    if (this.created.length === 0 || !(isPathConcerned || areNamesConcerned)) return undefined;
    const isBelow = (one: OwnCreation) => one.paths.some((top) => path === top || path.startsWith(`${top}/`));
    const names = new Set(areNamesConcerned ? listNames({ query, body }) : []);
    const found =
      (isPathConcerned ? this.created.findLast(isBelow) : undefined) ??
      this.created.findLast((one) => one.names.some((name) => names.has(name)));
    if (found === undefined) return undefined;
    const pause = PAUSES_MS[found.waits++] ?? PAUSES_MS.at(-1)!;
    return { paths: found.paths, waitMs: Math.min(pause, found.until - now) };
  }

  /** Notes that the service shows a creation, or that it was deleted. */
  drop(path: string): void {
    this.created = this.created.filter(({ paths }) => !paths.includes(path));
  }
}

/** The numbers and names by which a request refers to other objects: values of its query, and those in its body. */
function listNames(value: unknown): string[] {
  if (typeof value === "number" || typeof value === "string") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listNames) : [];
}
