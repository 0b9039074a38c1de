/**
 * The component `WorkspaceFile`: the resources of a workspace file in a program of any language, with the names that `workspacectl`
 * gives them. The program is code, and the file is data.
 */
import { randomUUID } from "node:crypto";
import { hasSecret, hasUnknown, isPlain, isSecret, mapDeep, UNKNOWN, withoutMarks } from "../diff/values.js";
import type { Fields } from "../provider/index.js";
import { type ConfigValue, Interpolated } from "../workspace-file/index.js";
import {
  formatCredentialsHint,
  type LoadedFile,
  readDeclarations,
  type ResourceDeclaration,
} from "../workspace-file/load/load.js";
import type { Component, DeclaredComponent, RegisteredDeclaration } from "./component.js";
import { showObject } from "./component-outputs.js";
import { readInputs } from "./inputs.js";

const NAMES = ["path", "overlays", "values"] as const;

export const workspaceFile: Component = {
  isFlat: true,

  async declare(component) {
    const inputs = readInputs("WorkspaceFile", component, NAMES);
    const [path, overlays] = [withoutMarks(inputs["path"]), withoutMarks(inputs["overlays"] ?? [])];
    if (hasUnknown(path) || hasUnknown(overlays) || inputs["values"] === UNKNOWN) return undefined;
    const files = [path, ...(Array.isArray(overlays) ? (overlays as unknown[]) : [overlays])];
    const wrong = files.find((file) => typeof file !== "string" || file === "" || file === "-");
    if (wrong !== undefined || !files.every((file) => typeof file === "string"))
      throw new Error(
        `WorkspaceFile "${component.name}": path is required, and path and overlays must be paths of files, not ${JSON.stringify(wrong ?? null)}`,
      );
    const [file = "", ...others] = files;
    const values = new PassedValues(inputs["values"], component);
    const declared = readDeclarations(file, {
      stack: component.stack,
      config: values.config,
      overlays: others,
      secretsLater: true,
      // Where the plugin of a program runs.
      secretFolder: process.cwd(),
      dataOnly: true,
    });
    await checkHead(file, declared, component);
    const { declarations } = declared;
    return values.areKnown ? declarations : declarations.map((one) => markUnknown(one, values.later));
  },

  outputs: (all) => ({ objects: all === undefined ? UNKNOWN : Object.fromEntries(all.map(nameObject)) }),
};

const nameObject = (one: RegisteredDeclaration) => [one.declaration.name, showObject(one)] as const;

/** The values that the program passes for `${config:key}`. Others are those of the stack's configuration. */
class PassedValues {
  areKnown = true;
  /** Stands for values that are not known yet. No file contains it. */
  readonly later = randomUUID();
  private readonly values: Fields;
  private readonly areSecret: boolean;

  constructor(
    given: unknown = {},
    private readonly component: DeclaredComponent,
  ) {
    this.areSecret = isSecret(given);
    const values = isSecret(given) ? given.value : given;
    if (!isPlain(values))
      throw new Error(
        `WorkspaceFile "${component.name}": values must be a map of strings, such as { region: "eu" }`,
      );
    this.values = values;
  }

  readonly config = (key: string): ConfigValue | undefined => {
    if (!Object.hasOwn(this.values, key)) return this.component.config(key);
    const marked = this.values[key];
    const value = withoutMarks(marked);
    const isUnknown = hasUnknown(value);
    if (!isUnknown && (value === null || typeof value === "object"))
      throw new Error(
        `WorkspaceFile "${this.component.name}": values.${key} must be a string, a number or a boolean`,
      );
    if (isUnknown) this.areKnown = false;
    return {
      value: isUnknown ? this.later : String(value),
      secret: this.areSecret || hasSecret(marked),
      passed: true,
      mock: isUnknown,
    };
  };
}

/** @throws {Error} when the head of the file names another connection or engine than the program uses */
async function checkHead(file: string, { connection, engine }: LoadedFile, component: DeclaredComponent) {
  const configured = connection === undefined ? undefined : await component.connection();
  if (connection !== undefined && connection !== configured)
    throw new Error(formatCredentialsHint(file, connection, configured));
  if (engine === "dynamic")
    throw new Error(
      `${file} says "engine: dynamic", and a WorkspaceFile needs the plugin: write "engine: plugin", or remove the line from the file`,
    );
}

/** A text that contains a value that is not known yet is not known either. */
function markUnknown(declaration: ResourceDeclaration, later: string): ResourceDeclaration {
  const isLater = (text: unknown) => typeof text === "string" && text.includes(later);
  const args = mapDeep(declaration.args, (leaf) => {
    const texts = leaf instanceof Interpolated ? leaf.parts : [leaf];
    return texts.some(isLater) ? UNKNOWN : leaf;
  });
  return { ...declaration, args: args as Fields };
}
