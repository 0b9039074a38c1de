/** `loadWorkspace`: a workspace file becomes resources of the running Pulumi program. */
import * as pulumi from "@pulumi/pulumi";
import { credentialsHint, readDeclarations } from "./load/index.js";
import type { ReadOptions } from "./load/index.js";
import { mapRefs } from "./load/names.js";
import type { Declaration } from "./load/declaration.js";
import { resourceClasses } from "./resources.js";
import type { WorkspaceResource } from "./resource.js";

export interface LoadedWorkspace {
  /** The resources by logical name, such as `projects/web/pipelines/deploy`. */
  readonly resources: ReadonlyMap<string, WorkspaceResource>;
}

/**
 * Declares every resource of a workspace file.
 * @param file path of the file, relative to the working directory
 * @throws {pulumi.RunError} with all problems of the file, each with line and column
 */
export function loadWorkspace(file: string, options: ReadOptions = {}): LoadedWorkspace {
  let declared;
  try {
    declared = readDeclarations(file, options);
  } catch (error) {
    throw new pulumi.RunError((error as Error).message);
  }
  const wanted = declared.connection;
  const configured =
    new pulumi.Config("workspace-automation").get("connection") ??
    process.env["WORKSPACE_AUTOMATION_CONNECTION"];
  if (wanted !== undefined && wanted !== configured)
    throw new pulumi.RunError(credentialsHint(file, wanted, configured));

  const resources = new Map<string, WorkspaceResource>();
  for (const declaration of declared.declarations)
    resources.set(declaration.name, make(declaration, resources));
  return { resources };
}

function make(declaration: Declaration, made: ReadonlyMap<string, WorkspaceResource>): WorkspaceResource {
  const { definition, name, args, after, formerNames, retain, protect } = declaration;
  const opts: pulumi.CustomResourceOptions = {
    ...(after === undefined ? {} : { dependsOn: [resource(after)] }),
    ...(formerNames.length === 0 ? {} : { aliases: formerNames.map((former) => ({ name: former })) }),
    ...(retain ? { retainOnDelete: true } : {}),
    ...(protect === undefined ? {} : { protect }),
  };
  const resolved = mapRefs(args, (ref) => resource(ref.name)) as object;
  const Resource = resourceClasses[definition.type as keyof typeof resourceClasses];
  return new (
    Resource as new (name: string, args: object, opts: pulumi.CustomResourceOptions) => WorkspaceResource
  )(name, resolved, opts);

  function resource(of: string): WorkspaceResource {
    const found = made.get(of);
    if (found) return found;
    throw new pulumi.RunError(`${name} refers to ${of}, which is declared after it`);
  }
}
