/** The sections that their parents own completely in a plan (`exclusive: true`). What leaves them as a resource of its own is released. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { definitions } from "../../../provider/index.js";
import { parseIdentity, parseLogicalName } from "../urn.js";

export class ExclusiveSections {
  /** As prefixes of logical names. */
  private readonly prefixes = new Set<string>();

  note(metadata: StepEventMetadata): void {
    const { type } = parseIdentity(metadata);
    // What a renamed object contained is deleted under its former name.
    const names = [metadata.urn, metadata.old?.urn ?? metadata.urn].map(parseLogicalName);
    for (const { document } of definitions) {
      const when = document && type in document.under ? document.exclusiveWhen : undefined;
      if (when === undefined || metadata.new?.inputs[when] !== true) continue;
      for (const name of names) this.prefixes.add(`${name}/${document?.section ?? ""}/`);
    }
  }

  contain(name: string): boolean {
    return [...this.prefixes].some((prefix) => name.startsWith(prefix));
  }
}
