/** What an object is called in messages: by its natural key, as far as the declaration says it. */
import type { Definition, Fields } from "./definition.js";

/** `variable "API_KEY" of project "web", pipeline 12`; the noun alone where nothing tells the object from others. */
export function displayName(definition: Definition, state: Fields): string {
  const { noun, naturalKey, references, document } = definition;
  const isGiven = (name: string) => state[name] !== undefined && state[name] !== null && state[name] !== "";
  const given = naturalKey.filter(isGiven);
  const own = given.filter((name) => references[name] === undefined);
  const [first] = given;
  const name = given.find((one) => one === document?.keyedBy) ?? own[0] ?? first;
  if (name === undefined) {
    const number = document?.numberedBy;
    return number !== undefined && isGiven(number) ? `${noun} ${shown(state[number])}` : noun;
  }
  const places = given.filter((one) => one !== name).map((one) => `${one} ${shown(state[one])}`);
  return `${noun} ${shown(state[name])}${places.length === 0 ? "" : ` of ${places.join(", ")}`}`;
}

/** So much of a long key (a public key is one) is enough to find it. */
const LONGEST = 60;

function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`}"`;
}
