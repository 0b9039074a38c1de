/** The name of an object in messages: its natural key, as far as it is declared. */
import type { Definition, Fields } from "./definition.js";

/** `variable "API_KEY" of project "web", pipeline 12`; the noun alone where nothing identifies the object. */
export function getDisplayName(definition: Definition, state: Fields): string {
  const { noun, naturalKey, references, document } = definition;
  const isGiven = (name: string) => state[name] !== undefined && state[name] !== null && state[name] !== "";
  const given = naturalKey.filter(isGiven);
  const own = given.filter((name) => references[name] === undefined);
  const [first] = given;
  const name = given.find((one) => one === document?.keyedBy) ?? own[0] ?? first;
  if (name === undefined) {
    const number = document?.numberedBy;
    return number !== undefined && isGiven(number) ? `${noun} ${formatPart(state[number])}` : noun;
  }
  const places = given.filter((one) => one !== name).map((one) => `${one} ${formatPart(state[one])}`);
  return `${noun} ${formatPart(state[name])}${places.length === 0 ? "" : ` of ${places.join(", ")}`}`;
}

/** A long key, such as a public key, is cut to this length. */
const LONGEST = 60;

function formatPart(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`}"`;
}
