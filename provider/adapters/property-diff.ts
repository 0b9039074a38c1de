/** The differences between a state and new inputs, property by property, in the form that the engine shows. */
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { formatPropertyPath } from "../../diff/property-path.js";
import { diffLeaves, isReordering } from "../../diff/structural-diff.js";
import { isSameValue } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { diffResource } from "../crud/diff.js";

type Kind = proto.PropertyDiff.Kind;

/** Property that differs. `path` is in Pulumi's notation. */
export interface PropertyDifference {
  readonly path: string;
  readonly kind: Kind;
}

/** Returns the differing parts of changed arguments. The values must have no secret marks. */
export function listPropertyChanges(
  definition: Definition,
  olds: Fields,
  news: Fields,
): PropertyDifference[] {
  const { changed, replaces } = diffResource(definition, olds, news);
  const names = new Set([...changed, ...replaces]);
  return [...names].flatMap((name) => {
    const isReplaced = replaces.includes(name);
    const orderFree = definition.sets.includes(name);
    const parts = [...diffLeaves([olds[name], news[name]], { path: [name], orderFree, isReordering })].filter(
      ({ values: [before, after] }) => !isSameValue(before, after, orderFree),
    );
    // The only difference may be that an argument is no longer declared.
    const leaves = parts.length > 0 ? parts : [{ path: [name], values: [olds[name], news[name]] }];
    return leaves.map(({ path, values: [before, after] }) => ({
      path: formatPropertyPath(path),
      kind: classifyChange(before, after, isReplaced),
    }));
  });
}

export function createPropertyDiff(kind: Kind): proto.PropertyDiff {
  const diff = new proto.PropertyDiff();
  diff.setKind(kind);
  return diff;
}

function classifyChange(before: unknown, after: unknown, isReplaced: boolean): Kind {
  const { Kind } = proto.PropertyDiff;
  if (isAbsent(before)) return isReplaced ? Kind.ADD_REPLACE : Kind.ADD;
  if (isAbsent(after)) return isReplaced ? Kind.DELETE_REPLACE : Kind.DELETE;
  return isReplaced ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
