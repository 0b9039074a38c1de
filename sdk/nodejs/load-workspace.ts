/** `loadWorkspace`: a workspace file becomes resources of the running Pulumi program. */
import * as pulumi from "@pulumi/pulumi";
import { buildReferringInputs } from "../../resources/definition/secrets/references.js";
import { refuseConfiguration } from "../../trust/variables.js";
import type { ConfigValue, Interpolated, OutputReference } from "../../workspace-file/index.js";
import type { LoadOptions } from "../../workspace-file/load/load.js";
import { formatCredentialsHint, readDeclarations } from "../../workspace-file/load/load.js";
import { createOutputNotShownError, listOutputs } from "../../workspace-file/load/outputs.js";
import { mapRefs, Ref } from "../../workspace-file/load/resolve-names.js";
import type { ResourceDeclaration } from "../../workspace-file/load/resource-declaration.js";
import { readConfiguredEngine } from "./accounts.js";
import type { WorkspaceResource } from "./resource.js";
import * as classes from "./resources.js";

export interface LoadedWorkspace {
  /** The resources by logical name, such as `projects/web/pipelines/deploy`. */
  readonly resources: ReadonlyMap<string, WorkspaceResource>;
}

/**
 * Declares every resource of a workspace file.
 * @param file path of the file, relative to the working directory
 * @throws {pulumi.RunError} with all problems of the file, each with line and column
 */
export function loadWorkspace(file: string, options: LoadOptions = {}): LoadedWorkspace {
  let declared;
  try {
    declared = readDeclarations(file, {
      stack: pulumi.getStack(),
      config: stackConfig,
      secretsLater: true,
      // Where the provider of a program runs.
      secretFolder: process.cwd(),
      ...options,
    });
  } catch (error) {
    throw new pulumi.RunError((error as Error).message);
  }
  const named = declared.connection;
  const configured =
    new pulumi.Config("workspace-automation").get("connection") ??
    process.env["WORKSPACE_AUTOMATION_CONNECTION"];
  if (named !== undefined && named !== configured)
    throw new pulumi.RunError(formatCredentialsHint(file, named, configured));

  const { engine } = declared;
  if (engine !== undefined && engine !== readConfiguredEngine())
    throw new pulumi.RunError(
      `${file} says "engine: ${engine}", and the stack ${readConfiguredEngine()}: run "pulumi config set ` +
        `workspace-automation:engine ${engine}", or remove the line from the file`,
    );

  const resources = new Map<string, WorkspaceResource>();
  const declarations = new Map(declared.declarations.map((one) => [one.name, one]));
  for (const declaration of declared.declarations)
    resources.set(declaration.name, make(declaration, resources, declarations));
  return { resources };
}

function make(
  declaration: ResourceDeclaration,
  made: ReadonlyMap<string, WorkspaceResource>,
  declarations: ReadonlyMap<string, ResourceDeclaration>,
): WorkspaceResource {
  const { definition, name, args, after, formerNames, retain, protect, ignoreChanges, secrets, references } =
    declaration;
  const opts: pulumi.CustomResourceOptions = {
    ...(after === undefined ? {} : { dependsOn: [resource(after)] }),
    ...(formerNames.length === 0 ? {} : { aliases: formerNames.map((former) => ({ name: former })) }),
    ...(retain ? { retainOnDelete: true } : {}),
    ...(protect === undefined ? {} : { protect }),
    ...(ignoreChanges.length === 0 ? {} : { ignoreChanges: [...ignoreChanges] }),
  };
  const written = Object.entries(args).map(([arg, value]) => {
    const given = mapRefs(value, asInput);
    return [arg, secrets.includes(arg) ? pulumi.secret(given) : given];
  });
  const referring = buildReferringInputs(references, (value) => pulumi.secret(value));
  const resolved = { ...(Object.fromEntries(written) as object), ...referring };
  const Resource = classes[definition.type as keyof typeof classes];
  return new (
    Resource as new (name: string, args: object, opts: pulumi.CustomResourceOptions) => WorkspaceResource
  )(name, resolved, opts);

  function asInput(value: Ref | Interpolated): unknown {
    if (value instanceof Ref) return resource(value.name);
    const parts = value.parts.map((part): unknown => (typeof part === "string" ? part : outputOf(part)));
    return parts.length === 1 ? parts[0] : pulumi.concat(...(parts as pulumi.Input<string>[]));
  }

  function outputOf(reference: OutputReference): unknown {
    const outputs = resource(reference.name) as unknown as Readonly<Record<string, pulumi.Input<object>>>;
    return pulumi.output(outputs[reference.output]).apply((value) => {
      const target = declarations.get(reference.name);
      if ((value ?? null) !== null || target === undefined) return value;
      const others = listOutputs(target).filter((output) => output !== reference.output);
      throw new pulumi.RunError(createOutputNotShownError(reference, target, others).message);
    });
  }

  function resource(of: string): WorkspaceResource {
    const found = made.get(of);
    if (found) return found;
    throw new pulumi.RunError(
      `${name} refers to ${of}, which is declared after it: move that declaration before it`,
    );
  }
}

/** A value of the stack's configuration. A key without a namespace belongs to the project. */
function stackConfig(key: string): ConfigValue | undefined {
  const full = key.includes(":") ? key : `${pulumi.getProject()}:${key}`;
  refuseConfiguration(full);
  const value = pulumi.runtime.getConfig(full);
  return value === undefined ? undefined : { value, secret: isSecret(full) };
}

/** Pulumi's types omit this function. Without it, every value counts as a secret. */
function isSecret(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (this: void, key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}
