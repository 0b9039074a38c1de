/**
 * `workspaceMocks`: Pulumi's mocks for unit tests of programs. They check and plan each resource with its definition, as a preview does,
 * and need neither an engine nor a service.
 */
import * as pulumi from "@pulumi/pulumi";
import { mapDeep, UNKNOWN, withoutMarks } from "../../diff/values.js";
import { omitBookkeeping } from "../../provider/adapters/applied-secrets.js";
import { RegisteredReferences } from "../../provider/adapters/declared-references.js";
import { ResourceProvider } from "../../provider/adapters/resource-provider.js";
import type { Session } from "../../provider/connection/session.js";
import { KnownObjects } from "../../provider/crud/id-references.js";
import { buildId } from "../../provider/crud/state.js";
import { parseFunctionArgs } from "../../provider/discovery/functions/define.js";
import { findFunction, type FunctionName } from "../../provider/discovery/functions/read-functions.js";
import {
  type Definition,
  type Fields,
  findPackageType,
  getDefinition,
  getLastPart,
  parsePulumiType,
} from "../../provider/index.js";
import type { Context } from "../../resources/definition/context.js";
import { completeImportId, parseImportId } from "../../resources/definition/import-id.js";
import type { ResultOf } from "./service.js";

/** What a function returns in a test: a part of the object, or of the objects of a list. */
export type MockedResult<N extends FunctionName> = Partial<ResultOf<N>> | readonly Partial<ResultOf<N>>[];

export interface WorkspaceMocksOptions {
  /** What functions return, by name: a value, or a function of their arguments. */
  readonly functions?: {
    readonly [N in FunctionName]?: MockedResult<N> | ((args: Fields) => MockedResult<N>);
  };
  /** Outputs of resources that the tests need. All others are made up. */
  readonly outputs?: (resource: Pick<MockedResource, "type" | "name" | "inputs">) => Fields | undefined;
  /** Mocks for the resources and functions of other packages. */
  readonly others?: pulumi.runtime.Mocks;
  /** Domain of the workspace in ids. Default: acme. */
  readonly workspace?: string;
  /** Name of the stack. Default: stack. */
  readonly stack?: string;
  /** Name of the project. Default: project. */
  readonly project?: string;
  /** Whether the program runs as in a preview, in which ids and most outputs are not known. Default: false. */
  readonly preview?: boolean;
}

type Stated = object | ((args: Fields) => object);

/** A resource that the program declared or read. */
export interface MockedResource {
  /** Name of the class, such as Pipeline. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** The arguments as the provider gets them, with secrets in plaintext. */
  readonly inputs: Fields;
  readonly outputs: Fields;
}

/** Mocks for `pulumi.runtime.setMocks` that know the resource types of this package. */
export function workspaceMocks(options: WorkspaceMocksOptions = {}): WorkspaceMocks {
  return new WorkspaceMocks(options);
}

export class WorkspaceMocks implements pulumi.runtime.Mocks {
  /** What the program declared and read, in order. */
  readonly resources: MockedResource[] = [];
  private readonly known = new KnownObjects();
  private readonly workspace: string;
  private problems: string[] | undefined;
  private numbers = 0;

  constructor(private readonly options: WorkspaceMocksOptions) {
    this.workspace = options.workspace ?? "acme";
  }

  /**
   * Runs a program with these mocks, and waits for all of its resources.
   * @param program declares the resources, such as `() => import("./index.js")`
   * @returns what the program returns
   * @throws {Error} with all problems of its arguments
   */
  async run<T>(program: () => T | Promise<T>): Promise<T> {
    const { project, stack, preview } = this.options;
    await pulumi.runtime.setMocks(this, project, stack, preview);
    const problems: string[] = (this.problems = []);
    const returned = await program();
    await pulumi.runtime.disconnect();
    this.problems = undefined;
    if (problems.length > 0) throw new Error(problems.join("\n"));
    return returned;
  }

  /** The resource of this name. @throws {Error} when the program has none */
  find(name: string): MockedResource {
    const found = this.resources.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = this.resources.map((one) => one.name).join(", ");
    throw new Error(`the program has no resource "${name}": it has ${names || "none"}`);
  }

  /** Part of Pulumi's interface: creates or reads a resource. */
  async newResource(args: pulumi.runtime.MockResourceArgs): Promise<pulumi.runtime.MockResourceResult> {
    const { name, type: token, id: given } = args;
    // Pulumi gives mocks an object in place of what a provider gets.
    const markUnknown = (value: unknown) => (pulumi.isUnknown(value) ? UNKNOWN : value);
    const inputs = mapDeep(args.inputs, markUnknown) as Fields;
    const type = parsePulumiType(token)?.type;
    if (type === undefined) {
      if (this.options.others !== undefined) return this.options.others.newResource(args);
      return { id: given || `${name}-id`, state: inputs };
    }
    const definition = getDefinition(type);
    const provider = new ResourceProvider(definition, {
      environment: { env: {}, print: () => undefined },
      references: new RegisteredReferences(),
      // A check needs no more of it.
      openSession: () => Promise.resolve({ known: this.known, workspaceOf: this.workspaceOf } as Session),
    });
    const implied = findPackageType(token.split(":").at(-1) ?? "")?.implied;
    const all = Object.entries({ ...inputs, ...implied });
    // A program that reads an object may state some outputs of it, and need not state its arguments.
    const pick = (isOutput: boolean) =>
      Object.fromEntries(all.filter(([key]) => (given ? key in definition.outputs : false) === isOutput));
    const [declared, stated] = [pick(false), pick(true)];
    const checked = await provider.check(given ? declared : {}, declared);
    const isStated = !given || Object.keys(omitBookkeeping(declared)).length > 0;
    for (const { reason } of isStated ? checked.failures : []) this.report(`${type} "${name}": ${reason}`);
    const read = given ? { ...parseId(definition, given, stated), ...stated } : {};
    const planned = { ...provider.previewCreate(checked.inputs), ...read };
    const own = withoutMarks(checked.inputs) as Fields;
    const known = this.options.outputs?.({ type, name, inputs: own }) ?? {};
    const outs = { ...this.fill(definition, name, planned), ...known };
    const id = given || this.buildId(definition, withoutMarks(outs) as Fields);
    if (id !== undefined) this.known.note(definition, id, withoutMarks(outs) as Fields);
    this.resources.push({ type, name, id: id ?? "", inputs: own, outputs: withoutMarks(outs) as Fields });
    return { id, state: outs };
  }

  /** Part of Pulumi's interface: calls a function. */
  async call(args: pulumi.runtime.MockCallArgs): Promise<pulumi.runtime.MockCallResult> {
    const { token } = args;
    const inputs = args.inputs as Fields;
    const name = /^workspace-automation:index(?:\/\w+)?:(\w+)$/.exec(token)?.[1];
    const definition = name === undefined ? undefined : findFunction(name);
    if (definition === undefined) return (await this.options.others?.call(args)) ?? {};
    const place = { workspace: this.workspaceOf(inputs), known: this.known };
    const { parsed, failures } = parseFunctionArgs(definition, inputs, place);
    for (const failure of failures) this.report(`${name}: ${failure}`);
    const stated = (this.options.functions as Readonly<Record<string, Stated | undefined>> | undefined)?.[
      name ?? ""
    ];
    if (stated === undefined)
      this.report(
        `the program calls ${name}, and the test does not say what it returns: pass workspaceMocks({ functions: { ${name}: ... } })`,
      );
    const result = typeof stated === "function" ? (stated as (args: Fields) => object)(parsed) : stated;
    return definition.isList ? { items: result ?? [] } : { ...result };
  }

  private readonly workspaceOf = (args: Fields): string =>
    typeof args["workspace"] === "string" ? args["workspace"] : this.workspace;

  /** @throws {Error} where nobody reports the problems of the whole program */
  private report(problem: string): void {
    if (this.problems === undefined) throw new Error(problem);
    this.problems.push(problem);
  }

  /** Makes up the outputs that only the service knows. */
  private fill(definition: Definition, name: string, planned: Fields): Fields {
    if (this.options.preview) return planned;
    const referring = Object.entries(definition.references).flatMap(([arg, { idOutput, list }]) =>
      idOutput === undefined || list || planned[arg] === undefined ? [] : [[idOutput, UNKNOWN] as const],
    );
    const all = { ...Object.fromEntries(referring), ...planned };
    const entries = Object.entries(all).map(([output, value]): [string, unknown] => [
      output,
      value === UNKNOWN ? this.makeUp(definition, name, output, planned) : value,
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  private makeUp(definition: Definition, name: string, output: string, planned: Fields): unknown {
    const schema = definition.outputs[output]?.schema;
    const isNumber = schema?.safeParse(1).success === true;
    if (output === definition.identity.state) return isNumber ? ++this.numbers : name;
    for (const [arg, { idOutput, to }] of Object.entries(definition.references)) {
      if (idOutput !== output) continue;
      const referred = withoutMarks(planned[arg]);
      return typeof referred === "number" ? referred : (this.findNumber(to, referred) ?? ++this.numbers);
    }
    const candidates: unknown[] = [undefined, 1, `${output} of ${name}`, false, [], {}];
    return candidates.find((value) => schema?.safeParse(value).success);
  }

  /** The number of the object of a type with this name. */
  private findNumber(type: string, name: unknown): unknown {
    const found = this.resources.find(
      (one) => one.type === type && getDefinition(type).naturalKey.some((arg) => one.inputs[arg] === name),
    );
    return found && getLastPart(found.id, false);
  }

  private buildId(definition: Definition, state: Fields): string | undefined {
    const context = { workspace: this.workspaceOf(state) } as Context;
    return this.options.preview ? undefined : buildId({ definition, context, state });
  }
}

/** The outputs that an id names. Tests may read objects by any id. */
function parseId(definition: Definition, id: string, stated: Fields): Fields {
  try {
    const parts = Object.entries(parseImportId(definition, completeImportId(definition, id, stated)));
    return Object.fromEntries(parts.filter(([name]) => name in definition.outputs));
  } catch {
    return {};
  }
}
