/** Names of variables for objects: readable, unique in the whole program, and whatever the objects are called. */

/** An object that wants a name: its keys from the innermost to the outermost, and what kind of object it is. */
export interface IdentifierRequest {
  readonly name: string;
  readonly keys: readonly string[];
  readonly noun: string;
}

/**
 * Objects of the same key are all called by more of what they are (`webDeploy`, `apiDeploy`), so that no name depends on the
 * order; what is the same even then gets a number.
 * @param taken names that mean something else where these are used
 */
export function identifiers(
  wishes: readonly IdentifierRequest[],
  taken: Iterable<string> = [],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set(taken);
  let open = wishes.map((wish) => ({ wish, ways: waysToCall(wish) }));
  for (let round = 0; open.length > 0; round += 1) {
    const wanted = new Map<string, typeof open>();
    for (const each of open) {
      const name = each.ways[Math.min(round, each.ways.length - 1)] ?? "";
      wanted.set(name, [...(wanted.get(name) ?? []), each]);
    }
    open = [...wanted].flatMap(([name, same]) => {
      const isFree = same.length === 1 && !used.has(name) && !RESERVED.has(name);
      if (!isFree && same.some(({ ways }) => round < ways.length - 1)) return same;
      for (const { wish } of same) names.set(wish.name, numbered(name, used));
      return [];
    });
  }
  return names;
}

function numbered(name: string, used: Set<string>): string {
  let free = name;
  for (let number = 2; used.has(free) || RESERVED.has(free); number += 1) free = `${name}${number}`;
  used.add(free);
  return free;
}

/** From the shortest name to the one that says all. */
function waysToCall({ keys, noun }: IdentifierRequest): string[] {
  const [own = ""] = keys;
  const kind = wordsOf(noun);
  // Of an e-mail address the person's name is enough, until there are two.
  const person = own.replace(/(?<=.)@.*$/s, "");
  const byKeys = keys.map((_key, index) => keys.slice(0, index + 1).reverse());
  const all = [[person], ...byKeys].map((names) => names.flatMap(wordsOf));
  const ways = [...all, [...(all.at(-1) ?? []), ...kind]].map((words) => {
    const name = camelCase(words.length === 0 ? kind : words);
    return /^\p{ID_Start}/u.test(name) ? name : camelCase([...kind, ...words]);
  });
  return [...new Set(ways)];
}

/** Letters and digits of scripts that every version of a compiler knows; other writing is left out. */
const KNOWN: readonly (readonly [from: number, to: number])[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0x24f], // Latin
  [0x370, 0x52f], // Greek, Cyrillic
  [0x5d0, 0x5ea], // Hebrew
  [0x620, 0x669], // Arabic
  [0x900, 0x963], // Devanagari
  [0xe01, 0xe4e], // Thai
  [0x3041, 0x30fa], // Kana
  [0x4e00, 0x9fa5], // Han
  [0xac00, 0xd7a3], // Hangul
];

function isLetter(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return /\p{ID_Continue}/u.test(character) && KNOWN.some(([from, to]) => from <= code && code <= to);
}

function wordsOf(text: string): string[] {
  const letters = [...text.normalize("NFC").slice(0, LONGEST)].map((each) => (isLetter(each) ? each : " "));
  return letters
    .join("")
    .split(" ")
    .filter((word) => word !== "");
}

/** Of a name that is longer, nobody reads more. */
const LONGEST = 60;

export function camelCase(words: readonly string[]): string {
  return words
    .map((word) => (/^[\p{Lu}\p{N}]+$/u.test(word) ? word.toLowerCase() : word))
    .map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("");
}

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Words of the language, and names that a module has without saying so. */
const RESERVED = new Set(
  (
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do " +
    "else enum eval export exports extends false finally for from function get global globalThis if implements import in " +
    "infinity instanceof interface is let module namespace nan never new null number object of package private protected " +
    "public readonly require return set static string super switch symbol this throw true try type typeof undefined unknown " +
    "var void while with yield process console config pulumi"
  ).split(" "),
);
