/** What an object is called in messages: by its natural key, as far as the declaration says it. */
import type { Definition, Fields } from "./definition.js";

/** `variable "API_KEY" of project "web", pipeline 12`; the noun alone where nothing tells the object from others. */
export function called(definition: Definition, at: Fields): string {
  const { noun, naturalKey, references, document } = definition;
  const isGiven = (name: string) => at[name] !== undefined && at[name] !== null && at[name] !== "";
  const given = naturalKey.filter(isGiven);
  const own = given.filter((name) => references[name] === undefined);
  const [first] = given;
  const name = given.find((one) => one === document?.keyedBy) ?? own[0] ?? first;
  if (name === undefined) {
    const number = document?.numberedBy;
    return number !== undefined && isGiven(number) ? `${noun} ${shown(at[number])}` : noun;
  }
  const places = given.filter((one) => one !== name).map((one) => `${one} ${shown(at[one])}`);
  return `${noun} ${shown(at[name])}${places.length === 0 ? "" : ` of ${places.join(", ")}`}`;
}

/** So much of a long key (a public key is one) is enough to find it. */
const LONGEST = 60;

function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`}"`;
}
