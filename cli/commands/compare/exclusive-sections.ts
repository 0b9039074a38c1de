/** Turns an exclusively owned list (`exclusive: true` of a group and its members) into objects. */
import { definitions, type Fields } from "../../../provider/index.js";
import { kindsUnder } from "../../../provider/definition/placement.js";
import { ReferenceValue, type SourceObject } from "./object.js";
import { normalized } from "./normalize.js";

/** @param args all arguments of the owner, with Named for references */
export function exclusiveObjects(holder: SourceObject, args: Fields): SourceObject[] {
  return kindsUnder(definitions, holder.definition.type).flatMap((kind) => {
    const { section, heldWhen, keyedBy } = kind.document;
    const items = args[section];
    if (heldWhen === undefined || args[heldWhen] !== true || !Array.isArray(items)) return [];
    const to = kind.references[keyedBy]?.to;
    return (items as unknown[]).map((item): SourceObject => {
      const fields: Fields = isFields(item) ? item : { [keyedBy]: item };
      const named = fields[keyedBy];
      const key = named instanceof ReferenceValue ? named.key : String(named);
      const { placeOf } = holder;
      return {
        definition: kind,
        steps: [...holder.steps, { section, type: kind.type, key, ...(to ? { to } : {}) }],
        args: normalized(kind, key, fields),
        ...(named instanceof ReferenceValue && !named.known ? { hiddenKey: true } : {}),
        ...(placeOf === undefined ? {} : { placeOf: () => placeOf([section]) }),
      };
    });
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof ReferenceValue);
}
