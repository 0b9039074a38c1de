/** The references of a state that a read gets: those that its inputs have, which a run without a change of the object has recorded. */
import { asSecret, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { listReferences, SECRET_REFERENCES } from "../../resources/definition/secrets/references.js";
import { isNotRecorded } from "../crud/diff.js";
import {
  APPLIED,
  findAppliedIn,
  findOtherForms,
  isPrintOf,
  readReferring,
  withPrints,
} from "./applied-secrets.js";
import type { Props } from "./secret-marks.js";

/** Brings a state to its inputs, as far as the inputs have no references for it. */
export function settleState(definition: Definition, props: Props, inputs: Props): Props {
  return replaceFormer(addUnrecorded(definition, props, inputs), inputs);
}

/** Adds the references of the inputs to a state, which may still contain a value that the inputs already replace by a reference. */
export function addInputReferences(state: Props, inputs: Props): Props {
  if (!hasReferences(state, inputs)) return state;
  const [former, present] = [listReferences(state), listReferences(inputs)];
  const names = Object.keys(present);
  const replaced = names.filter((name) => !Object.hasOwn(former, name));
  return {
    ...state,
    ...Object.fromEntries(names.map((name) => [name, inputs[name]])),
    [SECRET_REFERENCES]: { ...former, ...present },
    [APPLIED]: withPrints(findAppliedIn(state), replaced, state),
  };
}

/**
 * Replaces the references of a state that its inputs no longer have, where what the inputs have instead is the applied value, or where
 * the value is known to be another one.
 */
function replaceFormer(props: Props, inputs: Props): Props {
  const { references: former, applied, own } = readReferring(props);
  const others = findOtherForms({ references: former, applied, own });
  const present = listReferences(inputs);
  const isPlain = (name: string) => Object.hasOwn(inputs, name) && !Object.hasOwn(present, name);
  const known = Object.keys(former).flatMap((name): [string, unknown][] => {
    if (!isPlain(name)) return [];
    if (isPrintOf(applied, name, withoutMarks(inputs[name]))) return [[name, inputs[name]]];
    return name in others ? [[name, asSecret(others[name])]] : [];
  });
  const replaced = Object.fromEntries(known);
  const isLeft = ([name]: [string, unknown]) => !Object.hasOwn(replaced, name);
  return {
    ...props,
    ...replaced,
    [SECRET_REFERENCES]: Object.fromEntries(Object.entries(former).filter(isLeft)),
  };
}

/** Adds what the state of a recovered object lacks, as soon as the engine has recorded the arguments of the program. */
function addUnrecorded(definition: Definition, props: Props, inputs: Props): Props {
  const bare = withoutMarks(props) as Fields;
  const names = Object.keys(inputs).filter(
    (name) => isNotRecorded(definition, name, bare) && withoutMarks(inputs[name]) !== null,
  );
  if (names.length === 0) return props;
  const pick = (all: Props) =>
    Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]]));
  const references = { ...listReferences(props), ...pick(listReferences(inputs)) };
  const added = Object.keys(references).length > 0 ? { [SECRET_REFERENCES]: references } : {};
  return { ...props, ...pick(inputs), ...added };
}

function hasReferences(...all: readonly Props[]): boolean {
  return all.some((props) => Object.keys(listReferences(props)).length > 0);
}
