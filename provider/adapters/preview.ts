/** The outputs that a preview shows of an object before it is created or changed. */
import { pickDefined, UNKNOWN } from "../../diff/values.js";
import { listApiKeys } from "../../resources/definition/api-names.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { diffResource } from "../crud/diff.js";

/**
 * Returns an object that will be created: its arguments, and unknown outputs. Known are the name that identifies it, and the numbers of
 * objects that it refers to by number.
 */
export function previewCreation(definition: Definition, args: Fields): Fields {
  const { identity, references } = definition;
  const outputs = Object.entries(definition.outputs).map(([name, { apiName }]): [string, unknown] => {
    const shown =
      name === identity.state && apiName !== undefined
        ? Object.keys(pickDefined(args)).find((arg) =>
            listApiKeys(definition, arg, args[arg]).includes(apiName),
          )
        : Object.keys(references).find(
            (arg) => references[arg]?.idOutput === name && typeof args[arg] === "number",
          );
    return [name, shown === undefined ? UNKNOWN : args[shown]];
  });
  return { address: UNKNOWN, ...Object.fromEntries(outputs), ...pickDefined(args) };
}

/**
 * Returns an object that will be updated. Its identity does not change. An output that shows a changed argument has the new value. If
 * the name changes, addresses are unknown, which may contain it.
 */
export function previewUpdate(definition: Definition, olds: Fields, news: Fields): Fields {
  const { changed } = diffResource(definition, olds, news);
  const isRenamed = definition.naturalKey.some((name) => changed.includes(name));
  const isSent = changed.some((arg) => definition.references[arg]?.property !== "name");
  const outputs = Object.entries(definition.outputs).map(
    ([name, { apiName, derivedFrom = [] }]): [string, unknown] => {
      const shown = changed.find(
        (arg) => apiName !== undefined && listApiKeys(definition, arg, news[arg]).includes(apiName),
      );
      if (shown !== undefined && news[shown] !== undefined) return [name, news[shown]];
      const reference = Object.entries(definition.references).find(([, { idOutput }]) => idOutput === name);
      const isUnknown =
        reference === undefined
          ? changed.some((arg) => derivedFrom.includes(arg)) ||
            (isRenamed && name !== definition.identity.state && isAddress(olds[name])) ||
            (isSent && apiName === "html_url" && isOutdated(definition, olds[name], news))
          : changed.includes(reference[0]);
      return [name, isUnknown ? UNKNOWN : olds[name]];
    },
  );
  return pickDefined({ address: olds["address"], ...Object.fromEntries(outputs), ...news });
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && value.includes("/");
}

/**
 * Whether a web address lacks the name of a parent. The parent was renamed since, which sends no request for this object, so that its next
 * response shows another address.
 */
function isOutdated(definition: Definition, address: unknown, news: Fields): boolean {
  return Object.entries(definition.references).some(([arg, { property }]) => {
    const name = news[arg];
    return (
      property === "name" &&
      typeof name === "string" &&
      typeof address === "string" &&
      ![name, encodeURIComponent(name)].some((text) => address.includes(text))
    );
  });
}
