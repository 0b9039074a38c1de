/** The resources of a program, by project. A resource may have to wait for earlier ones in its project (`waitsFor`). */
import { getDefinition } from "../registry.js";
import type { Definition, Fields } from "./definition.js";
import type { Referred } from "./resource-inputs.js";

export class DeclaredInProjects<R extends Referred> {
  private readonly projects = new Map<unknown, R[]>();

  /** @param referred the resource that a value is; undefined for any other value */
  constructor(private readonly referred: (value: unknown) => R | undefined) {}

  /** Notes a resource. */
  add(definition: Definition, resource: R): void {
    const project = this.projectOf(definition, resource.args);
    if (project === undefined) return;
    const resources = this.projects.get(project) ?? [];
    resources.push(resource);
    this.projects.set(project, resources);
  }

  /** The resources for which another one has to wait. Only earlier ones count, so there are no cycles. */
  waitedFor(definition: Definition, args: Fields): R[] {
    const project = this.projectOf(definition, args);
    if (definition.waitsFor === undefined || project === undefined) return [];
    const there = this.projects.get(project) ?? [];
    const ofType = (type: string) => there.filter((one) => one.type === type).map((one) => one.args);
    const awaited = new Set(definition.waitsFor(args, ofType));
    return there.filter((resource) => awaited.has(resource.args));
  }

  /** The project of an object: its name where the program states it, else its resource; undefined where neither is known. */
  private projectOf(definition: Definition, { project, ...args }: Fields): unknown {
    const resource = this.referred(project);
    if (resource !== undefined) {
      const name = resource.args[definition.references["project"]?.property ?? ""];
      return typeof name === "string" ? name : resource;
    }
    if (project !== undefined) return typeof project === "string" ? project : undefined;
    for (const [arg, { copies }] of Object.entries(definition.references)) {
      const parent = copies?.["project"] === undefined ? undefined : this.referred(args[arg]);
      if (parent !== undefined) return this.projectOf(getDefinition(parent.type), parent.args);
    }
    return undefined;
  }
}
