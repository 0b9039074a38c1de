/** Adds to events of the engine what the provider of this process passes on: which values are behind their masks. */
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { parseLogicalName } from "../../components/urn.js";
import { mapDeep } from "../../diff/values.js";
import type { Fields, OpenArguments } from "../../provider/index.js";

type State = NonNullable<StepEventMetadata["old"]>;

interface RevealOptions {
  /** Masks the secrets of the file in a text, which a value of the service may repeat. */
  readonly hide: (text: string) => string;
  /** The operation only reads. */
  readonly refreshing: boolean;
}

export function revealArguments(
  { resOutputsEvent, resourcePreEvent }: EngineEvent,
  open: OpenArguments,
  { hide, refreshing }: RevealOptions,
): void {
  for (const metadata of [resOutputsEvent?.metadata, resourcePreEvent?.metadata]) {
    if (metadata === undefined) continue;
    const { urn, old, new: fresh } = metadata;
    const name = parseLogicalName(urn);
    const isRead = refreshing || metadata.op === "refresh";
    const hidden = (value: unknown) =>
      mapDeep(value, (part) => (typeof part === "string" ? hide(part) : part));
    const reveal = (state: State | undefined, sides: Parameters<OpenArguments["reveal"]>[1]) => {
      if (state?.inputs !== undefined)
        Object.assign(state, { inputs: open.reveal(state.inputs as Fields, sides, hidden) });
    };
    reveal(
      old,
      isRead
        ? [["state", urn]]
        : [
            ["before", urn],
            ["live", old?.urn ?? urn],
          ],
    );
    reveal(
      fresh,
      isRead
        ? [["live", urn]]
        : [
            ["declared", name],
            ["declared", urn],
          ],
    );
  }
}
