/** The sections that their parents own completely in a plan (`exclusive: true`). What leaves them as a resource of its own is released. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { definitions } from "../../../provider/index.js";
import { isExclusive, listKindsUnder } from "../../../provider/definition/placement.js";
import { parseLogicalName, parseResourceType } from "../urn.js";

export class OwnedSections {
  /** As prefixes of logical names. */
  private readonly prefixes = new Set<string>();

  note({ type, urn, old, new: fresh }: StepEventMetadata): void {
    for (const kind of listKindsUnder(definitions, parseResourceType(type)))
      if (isExclusive(kind, fresh?.inputs ?? {}))
        // What a renamed object contained is deleted under its former name.
        for (const one of [urn, old?.urn ?? urn])
          this.prefixes.add(`${parseLogicalName(one)}/${kind.document.section}/`);
  }

  contain(name: string): boolean {
    return [...this.prefixes].some((prefix) => name.startsWith(prefix));
  }
}
