/** Explains objects that a plan deletes in one place and creates in another, although the file calls them renamed. */
import type { ResourceDeclaration } from "../../../workspace-file/load/resource-declaration.js";
import { LogicalName } from "../../../provider/definition/logical-name.js";
import type { PlannedObject } from "./planned-objects.js";

/**
 * Says which objects are not moved: `previously` names keys of the same parent, and the service moves nothing from one parent to another.
 */
export function listNotMoved(
  objects: readonly PlannedObject[],
  declarations: readonly Pick<ResourceDeclaration, "name" | "formerNames">[],
): string[] {
  const created = new Set(objects.filter(({ operation }) => operation === "create").map(getName));
  const deleted = objects.filter(({ operation }) => operation === "delete");
  return declarations.flatMap(({ name, formerNames }) => {
    if (!created.has(name) || formerNames.length === 0) return [];
    const { type } = objects.find((one) => one.name === name)!;
    const formerKeys = formerNames
      .filter((former) => getSectionOf(former) === getSectionOf(name))
      .map(getKey);
    // Somebody may have written the whole path instead of the key.
    const other = deleted.find(
      (one) => one.type === type && formerKeys.some((key) => key === getKey(one.name) || key === one.name),
    );
    if (other === undefined) return [];
    return [
      `${name} is created and ${other.name} is deleted: \`previously\` renames an object within its parent, and the service moves ` +
        `nothing from one parent to another`,
    ];
  });
}

const getName = ({ name }: PlannedObject) => name;
const getKey = (name: string) => new LogicalName(name).key;
const getSectionOf = (name: string) => new LogicalName(name).section;
