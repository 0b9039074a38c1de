/** Detects entries that are valid by themselves but name the same object. */
import { LogicalName } from "../../resources/definition/logical-name.js";
import type { Problem } from "../../resources/definition/problems.js";
import { canonicalize, type Definition } from "../../resources/index.js";
import type { ResourceDeclaration } from "./resource-declaration.js";

/** Reports two entries that name the same object of the service, since they would overwrite each other. */
export function findSameObjectTwice(declarations: readonly ResourceDeclaration[]): Problem[] {
  const first = new Map<string, ResourceDeclaration>();
  return declarations.flatMap((declaration) => {
    const { definition, args, path, name } = declaration;
    const { naturalKey, sharedKey } = definition;
    const identifying = sharedKey === undefined ? naturalKey : [...naturalKey, sharedKey.key];
    const values = identifying.map((arg) => identify(definition, arg, args[arg]));
    const known = values.some((value) => value !== undefined);
    const key = JSON.stringify([definition.type, values]);
    const other = first.get(key);
    if (!other) first.set(key, declaration);
    if (!other || !known) return [];
    return [
      {
        path,
        code: "declared-twice" as const,
        message: `${name} names the same ${definition.noun} as ${other.name}: rename or remove one of them`,
        atKey: true,
      },
    ];
  });
}

/** Passes the keys of entries that share a name with others, where the service allows that. */
export function withSharedKeys(declarations: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  const identify = ({ definition, args }: ResourceDeclaration) =>
    JSON.stringify([definition.type, ...definition.naturalKey.map((arg) => args[arg])]);
  const times = new Map<string, number>();
  for (const one of declarations) times.set(identify(one), (times.get(identify(one)) ?? 0) + 1);
  return declarations.map((one) => {
    const { sharedKey } = one.definition;
    if (sharedKey === undefined || times.get(identify(one)) === 1) return one;
    return { ...one, args: { ...one.args, [sharedKey.key]: new LogicalName(one.name).key } };
  });
}

/** Addresses of any spelling are one person. Names in two forms may exist side by side, which lint reports. */
function identify({ spelling }: Definition, arg: string, value: unknown): unknown {
  return spelling[arg] === "email" ? canonicalize("email", value) : value;
}

/** Reports an entry whose former name is the present or former name of another one, since both would adopt its object. */
export function findSameFormerName(declarations: readonly ResourceDeclaration[]): Problem[] {
  const claimed = new Map(declarations.map(({ name }) => [name, name]));
  return declarations.flatMap(({ name, formerNames, path }) =>
    formerNames
      // The children of a renamed entry have former names too. Only the entry itself is reported.
      .filter((former) => getParentName(former) === getParentName(name))
      .flatMap((former): Problem[] => {
        const other = claimed.get(former);
        claimed.set(former, name);
        if (other === undefined) return [];
        const claim = other === former ? "is still declared, too" : `is a former name of ${other}, too`;
        const message = areExchanged(declarations, name, former)
          ? `${name} and ${former} would exchange their names, which takes several runs: keep the keys, and give one of them ` +
            `a third name (\`name: ...\`) first; when that is applied, rename the other one, then this one`
          : `${former} ${claim}: remove the name from \`previously\` after the rename, or rename the other one`;
        return [{ path: [...path, "previously"], code: "declared-twice", message }];
      }),
  );
}

/** Whether each of two declared objects claims to have had the name of the other. */
function areExchanged(declarations: readonly ResourceDeclaration[], one: string, other: string): boolean {
  return declarations.find(({ name }) => name === other)?.formerNames.includes(one) ?? false;
}

function getParentName(name: string): string {
  return new LogicalName(name).section;
}
