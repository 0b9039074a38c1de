/** Chooses names of variables for objects: readable, unique in the whole program, and valid for any name of an object. */
import { chooseFreeName, groupBy } from "../../../lists.js";

/** An object that needs a variable: its keys from the innermost to the outermost, and what kind of object it is. */
export interface IdentifierRequest {
  readonly name: string;
  readonly keys: readonly string[];
  readonly noun: string;
}

/**
 * Names each object by as few of its keys as are unique (`webDeploy`, `apiDeploy`), so that no name depends on the order. When
 * even all keys and the noun are not unique, the name gets a number.
 * @param reserved names that mean something else where these are used
 */
export function assignIdentifiers(
  requests: readonly IdentifierRequest[],
  reserved: Iterable<string> = [],
): ReadonlyMap<string, string> {
  const used = new Set([...RESERVED, ...reserved]);
  const all = requests.map((request) => ({ request, candidates: listCandidatesFor(request) }));
  const wanted = groupBy(
    all.flatMap(({ candidates }) => candidates),
    (name) => name,
  );
  const isUnique = (name: string) => wanted.get(name)?.length === 1 && !used.has(name);
  return new Map(
    all.map(({ request, candidates }) => {
      const longest = candidates.at(-1) ?? "";
      const name =
        candidates.find(isUnique) ??
        chooseFreeName(
          (one) => used.has(one),
          (suffix) => longest + suffix,
          "",
        );
      used.add(name);
      return [request.name, name];
    }),
  );
}

/** Lists possible names, from the shortest to the one with all keys and the noun. */
function listCandidatesFor({ keys, noun }: IdentifierRequest): string[] {
  const [own = ""] = keys;
  const kind = splitIntoWords(noun);
  // The local part of an e-mail address is enough if it is unique.
  const person = own.replace(/(?<=.)@.*$/s, "");
  const byKeys = keys.map((_key, index) => keys.slice(0, index + 1).reverse());
  const all = [[person], ...byKeys].map((names) => names.flatMap(splitIntoWords));
  const names = [...all, [...(all.at(-1) ?? []), ...kind]].map((words) => {
    const name = toCamelCase(words.length === 0 ? kind : words);
    return /^\p{ID_Start}/u.test(name) ? name : toCamelCase([...kind, ...words]);
  });
  return [...new Set(names)];
}

/** Letters and digits of scripts that all versions of the compiler know; other signs separate words. */
const WORD =
  /(?:(?=[\u0900-\u09630-9A-Za-z\u00c0-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u0669\u0e01-\u0e4e\u3041-\u30fa\u4e00-\u9fa5\uac00-\ud7a3])\p{ID_Continue})+/gu;
/** Longer names are cut. */
const LONGEST = 60;

const splitIntoWords = (text: string): string[] => text.normalize("NFC").slice(0, LONGEST).match(WORD) ?? [];

export function toCamelCase(words: readonly string[]): string {
  return words
    .map((word) => (/^[\p{Lu}\p{N}]+$/u.test(word) ? word.toLowerCase() : word))
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join("");
}

/** Keywords, and names that a module has without declaring them. */
const RESERVED = (
  "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do " +
  "else enum eval export exports extends false finally for from function get global globalThis if implements import in " +
  "infinity instanceof interface is let module namespace nan never new null number object of package private protected " +
  "public readonly require return set static string super switch symbol this throw true try type typeof undefined unknown " +
  "var void while with yield process console config pulumi"
).split(" ");
