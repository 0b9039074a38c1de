/**
 * The arguments that reports show in part although they are secret for the engine, because a text in them contains a secret. The engine masks
 * them as a whole in its events, so the provider of the same process passes on what the file contains in plaintext. Nothing of it is stored.
 */
import { conceal, hasSecret, withoutMarks } from "../../diff/values.js";
import type { Fields } from "../../resources/definition/definition.js";
import { listInPlaintext } from "../../resources/definition/secrets/in-plaintext.js";
import { formatReferences, listReferences } from "../../resources/definition/secrets/references.js";

/** `declared`: by the program; `before`: in the state that a plan starts from; `state` and `live`: before and after the refresh. */
type Side = "declared" | "before" | "state" | "live";

export class OpenArguments {
  private readonly known = new Map<string, Fields>();

  /** Notes the arguments on one side of an object that the file contains in plaintext, with placeholders in the place of references. */
  note(side: Side, urn: string, inputs: Readonly<Record<string, unknown>>): void {
    const referring = listReferences(inputs);
    const isRead = side === "state" || side === "live";
    const open = listInPlaintext(inputs).flatMap((name): [string, unknown][] => {
      const { [name]: references = [] } = referring;
      // The state has the references also in the place of a value that was read.
      if (isRead && references.length > 0) return [];
      return [[name, formatReferences({ value: withoutMarks(inputs[name]), references })]];
    });
    if (open.length > 0) this.known.set(`${side} ${urn}`, Object.fromEntries(open));
    else this.known.delete(`${side} ${urn}`);
  }

  /** Notes arguments as the file has them, with placeholders. @param name logical name of the object */
  add(side: Side, name: string, args: Fields): void {
    if (Object.keys(args).length > 0) this.known.set(`${side} ${name}`, args);
  }

  /**
   * Returns inputs of an event in which the masks lead to the values behind them, where these are known.
   * @param sides where they may come from, with the URN or the logical name of the object there; of two, the first counts
   * @param hide masks secrets in the value of an argument
   */
  reveal(
    inputs: Fields,
    sides: readonly (readonly [Side, object: string])[],
    hide: (value: unknown) => unknown = (value) => value,
  ): Fields {
    const all = sides.map(([side, object]) => this.known.get(`${side} ${object}`));
    if (all.every((one) => one === undefined)) return inputs;
    const known = Object.assign({}, ...all.toReversed()) as Fields;
    return Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [
        name,
        hasSecret(value) && Object.hasOwn(known, name) ? conceal(hide(known[name])) : value,
      ]),
    );
  }
}
