/** Entries that are right by themselves and claim the same object. */
import type { Problem } from "../../provider/definition/problems.js";
import type { ResourceDeclaration } from "./resource-declaration.js";

/** Two entries that name the same object of the service: the second would fight the first. */
export function sameObjectTwice(declarations: readonly ResourceDeclaration[]): Problem[] {
  const first = new Map<string, ResourceDeclaration>();
  return declarations.flatMap((declaration) => {
    const { definition, args, path, name } = declaration;
    const values = definition.naturalKey.map((arg) => args[arg]);
    const known = values.some((value) => value !== undefined);
    const key = JSON.stringify([definition.type, values]);
    const other = first.get(key);
    if (!other) first.set(key, declaration);
    if (!other || !known) return [];
    return [
      {
        path,
        code: "declared-twice" as const,
        message: `${name} names the same ${definition.noun} as ${other.name}: name it otherwise, or take one out`,
        atKey: true,
      },
    ];
  });
}

/** An entry that was called before what another one is called, now or before: both would take over its object. */
export function sameFormerName(declarations: readonly ResourceDeclaration[]): Problem[] {
  const claimed = new Map(declarations.map(({ name }) => [name, name]));
  return declarations.flatMap(({ name, formerNames, path }) =>
    formerNames
      // What stands in a renamed entry was there under its former name too; only the entry itself is told of.
      .filter((former) => holderOf(former) === holderOf(name))
      .flatMap((former): Problem[] => {
        const other = claimed.get(former);
        claimed.set(former, name);
        if (other === undefined) return [];
        const claim = other === former ? "is declared itself" : `is claimed by ${other} too`;
        const message = `${former} ${claim}: take the name out of \`previously\` once the rename is done, or name the other one otherwise`;
        return [{ path: [...path, "previously"], code: "declared-twice", message }];
      }),
  );
}

function holderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}
