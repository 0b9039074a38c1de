/**
 * A fault to answer with instead of, or after, doing the work.
 *
 * - `status`: refuse with this status, nothing is done
 * - `delay`: wait, then go on
 * - `reset-before`: cut the connection, nothing is done
 * - `reset-after`: do the work, keep it, then cut the connection
 * - `garbage`: do the work, answer with something that is not JSON
 * - `truncated`: do the work, answer with half of the body and cut the connection
 */
export interface Fault {
  kind: "status" | "delay" | "reset-before" | "reset-after" | "garbage" | "truncated";
  /** Only requests of this method. */
  method?: string | undefined;
  /** Only this path, or paths that match; below the base path, without the query. */
  path?: string | RegExp | undefined;
  /** How many requests it hits; default 1. */
  count?: number | undefined;
  /** Requests to let pass before it begins to hit; default 0. */
  skip?: number | undefined;
  /** For `status`; default 500. */
  status?: number | undefined;
  /** For `status`: the message of the error body. */
  message?: string | undefined;
  /** For `delay`, in milliseconds. */
  delayMs?: number | undefined;
}

export const faultKinds = ["status", "delay", "reset-before", "reset-after", "garbage", "truncated"] as const;

export class Faults {
  private list: (Fault & { count: number; skip: number })[] = [];

  add(fault: Fault): void {
    this.list.push({ ...fault, count: fault.count ?? 1, skip: fault.skip ?? 0 });
  }

  clear(): void {
    this.list = [];
  }

  get pending(): readonly Fault[] {
    return this.list;
  }

  /** The fault that hits this request, which uses it up by one. */
  take(method: string, path: string): Fault | undefined {
    if (this.list.length === 0) return undefined;
    const hit = this.list.find((fault) => matches(fault, method, path) && fault.skip-- <= 0);
    if (hit === undefined) return undefined;
    hit.count -= 1;
    if (hit.count <= 0) this.list = this.list.filter((fault) => fault !== hit);
    return hit;
  }
}

function matches(fault: Fault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  if (fault.path === undefined) return true;
  return typeof fault.path === "string" ? fault.path === path : fault.path.test(path);
}
