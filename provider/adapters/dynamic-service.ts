/**
 * The dynamic providers as a gRPC service. An engine attaches to it (PULUMI_DEBUG_PROVIDERS) instead of starting Pulumi's host of dynamic
 * providers. Requests and state are the same, but there is no second process, and no code from a state is executed.
 */
import type proto from "@pulumi/pulumi/proto/provider_pb.js";
import { UNKNOWN, withoutMarks } from "../../diff/values.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import { findTypeOfProviderText, PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import { ProviderError } from "../../resources/errors.js";
import { toProps } from "./grpc.js";
import { AttachedRun, type ProviderEnvironment } from "./provider-run.js";
import type { Props } from "./secret-marks.js";
import { ProviderService } from "./service.js";

export class DynamicService extends ProviderService {
  // Pulumi's own host drops detailed diffs, too.
  protected readonly isDetailed = false;

  /** @param journal the one next to the state */
  constructor(environment: ProviderEnvironment, journal?: RunJournal) {
    super(new AttachedRun(environment, journal));
  }

  /** Objects name their type by the provider's text. */
  protected typeOf(_urn: string, props: Props, olds = props): string {
    const text = props[PROVIDER_KEY] === UNKNOWN ? olds[PROVIDER_KEY] : props[PROVIDER_KEY];
    const type = findTypeOfProviderText(text);
    if (type !== undefined) return type;
    throw new ProviderError(
      "refused",
      "the state contains objects of another package than workspace-automation, and its code is not run",
      "run the program that created the stack: add --program FOLDER",
    );
  }

  protected configurationOf(request: proto.ConfigureRequest): Props {
    return withoutMarks(toProps(request.getArgs())) as Props;
  }
}
