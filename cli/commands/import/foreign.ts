/** Resources of other packages in a program: an import would make them, since only our provider knows how to take up. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { definitions } from "../../../provider/index.js";
import { CliError } from "../../errors.js";

const ours = new Set(definitions.map(({ type }) => `pulumi-nodejs:dynamic/workspace-automation:${type}`));

/** Collects what else a plan would make. */
export function foreignTypes() {
  const found = new Set<string>();
  return {
    found,
    onEvent({ resourcePreEvent }: EngineEvent): void {
      const { op, type = "", new: fresh } = resourcePreEvent?.metadata ?? {};
      // Components are nothing but names; providers and the stack are Pulumi's own.
      const isOther = fresh?.custom === true && !type.startsWith("pulumi:") && !ours.has(type);
      if (resourcePreEvent && op !== "same" && isOther) found.add(type);
    },
  };
}

/** @throws {CliError} when there is anything, before it is made */
export function refuseForeign(found: ReadonlySet<string>): void {
  if (found.size === 0) return;
  throw new CliError(
    `the program declares what is no object of this service (${[...found].sort().join(", ")}): an import would make or ` +
      `change it. Take it out for the import, or bring it up first with "pulumi up --target"`,
  );
}
