/** What a checked plan permits: a run performs each of its operations once, and refuses every other write. */
import type { PlannedRemovals } from "../../resources/definition/context.js";
import { ProviderError } from "../../resources/errors.js";
import type { PlannedCreation } from "../crud/create.js";
import type { PlannedArguments } from "./planned-arguments.js";
import type { Props } from "./secret-marks.js";

/** An operation of a plan that sends something to the service. A replacement is a creation and a deletion. */
export interface PermittedOperation {
  readonly kind: "create" | "update" | "delete";
  /** Resource type, such as `Group`. */
  readonly type: string;
  readonly urn: string;
  /** Id of the object that is changed or deleted. */
  readonly id?: string;
  /** It is deleted only after its replacement was created. */
  readonly afterCreation?: boolean;
  /** The existing object that a creation adopts; null for none. Absent where a preview cannot know it, as in a new parent. */
  readonly adopts?: PermittedAdoption | null;
}

export interface PermittedAdoption {
  readonly id: string;
  /** Arguments that it may change. */
  readonly sends: readonly string[];
}

/** An object that leaves a list which another one owns (`exclusive: true`). */
export interface PermittedRemoval {
  /** Key of the list. */
  readonly list: string;
  /** Identifies the object in the list. */
  readonly identity: unknown;
}

/** An operation that the engine asks for. Pulumi's own host of dynamic providers does not pass the URN. */
export interface RequestedOperation extends Pick<PermittedOperation, "kind" | "type" | "id"> {
  readonly urn?: string | undefined;
  /** Arguments in the state. */
  readonly before?: Props;
  /** Arguments to write. */
  readonly after?: Props;
}

export class PermittedOperations implements PlannedRemovals {
  /** By what requests name, so that a plan of many objects is not searched for each. */
  private readonly byRequest = new Map<string, PermittedOperation[]>();
  private readonly left: Set<PermittedOperation>;
  private readonly created = new Set<string>();

  /** @param args absent where no preview has noted arguments */
  constructor(
    operations: readonly PermittedOperation[],
    private readonly args?: PlannedArguments,
    private readonly removals: readonly PermittedRemoval[] = [],
  ) {
    this.left = new Set(operations);
    for (const one of operations)
      for (const key of [formatKey(one), formatKey({ ...one, urn: undefined })]) {
        const same = this.byRequest.get(key);
        if (same === undefined) this.byRequest.set(key, [one]);
        else same.push(one);
      }
  }

  /**
   * Uses up a permission.
   * @returns what the plan says of a creation, since only the run finds out whether it adopts
   * @throws {ProviderError} `not-in-plan` when the plan does not contain the operation
   */
  require(requested: RequestedOperation): PlannedCreation {
    const found = this.listRequested(requested).find((one) => this.left.has(one));
    if (found === undefined) throw createNotInPlanError(describe(requested));
    const { urn } = found;
    if (found.afterCreation && !this.created.has(urn))
      throw createNotInPlanError(`${describe(requested)} before its replacement was created`);
    const differing = this.listDiffering(requested);
    if (differing.length > 0)
      throw createNotInPlanError(`${describe(requested)} with another ${differing.join(", ")} than planned`);
    this.left.delete(found);
    if (found.kind === "create") this.created.add(urn);
    return this.planCreation(requested);
  }

  requireRemoval(list: string, identity: unknown, label: string): void {
    if (!this.removals.some((one) => one.list === list && one.identity === identity))
      throw createNotInPlanError(`to remove ${label} from ${list}, which the plan did not find there`);
  }

  private listRequested(requested: RequestedOperation): readonly PermittedOperation[] {
    return this.byRequest.get(formatKey(requested)) ?? [];
  }

  private listDiffering(requested: RequestedOperation): string[] {
    const of = (side: "before" | "after") => {
      const values = requested[side];
      return values === undefined ? [] : (this.args?.listDiffering(side, requested, values) ?? []);
    };
    return [...new Set([...of("before"), ...of("after")])];
  }

  /** Without the URN, any creation of the type may be the one. */
  private planCreation(requested: RequestedOperation): PlannedCreation {
    const planned = this.listRequested(requested).map(({ adopts }) => adopts);
    return {
      requireAdoption(id, sends) {
        const found = planned.filter((one) => one === undefined || one?.id === id);
        if (found.length === 0)
          throw createNotInPlanError(`to adopt ${requested.type} ${id}, which the plan did not find`);
        const others = found.map((one) => sends.filter((name) => one && !one.sends.includes(name)));
        if (others.some(({ length }) => length === 0)) return;
        throw createNotInPlanError(
          `to adopt ${requested.type} ${id} with another ${others[0]!.join(", ")} than planned`,
        );
      },
      requireCreation() {
        if (planned.some((one) => one === undefined || one === null)) return;
        const ids = planned.map((one) => one!.id).join(", ");
        throw createNotInPlanError(`${describe(requested)} instead of adopting ${ids}`);
      },
    };
  }
}

function formatKey({ kind, type, urn, id }: RequestedOperation): string {
  return JSON.stringify([kind, type, urn, id]);
}

function describe({ kind, type, urn, id }: RequestedOperation): string {
  const name = urn?.split("::").slice(3).join("::") ?? id;
  return `to ${kind} ${type}${name === undefined ? "" : ` ${name}`}`;
}

function createNotInPlanError(what: string): ProviderError {
  return new ProviderError(
    "not-in-plan",
    `the plan that was shown does not contain this step: ${what}. The step was skipped`,
    "the workspace or the file has changed since the plan: run the command again, which creates a new plan",
  );
}
