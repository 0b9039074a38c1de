/** Converts errors to the form that the engine expects. */
import errorsProto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import anyProto from "google-protobuf/google/protobuf/any_pb.js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import { PartialCreation } from "../../resources/errors.js";

export interface Failure {
  /** Status code of gRPC. */
  readonly code: number;
  readonly details: string;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

const UNKNOWN = 2;

/**
 * Returns an error in the form of gRPC. The details (`grpc-status-details-bin`) of a partial creation hold the id and the properties of
 * the object, so that the engine stores it.
 */
export function describeFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PartialCreation) {
    const detail = new errorsProto.ErrorResourceInitFailed();
    detail.setId(error.id);
    const properties = error.properties as Parameters<typeof structProto.Struct.fromJavaScript>[0];
    detail.setProperties(structProto.Struct.fromJavaScript(properties));
    detail.setReasonsList([...error.reasons]);
    const any = new anyProto.Any();
    any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new statusProto.Status();
    status.setCode(UNKNOWN);
    status.setMessage(message);
    status.addDetails(any);
    const bytes = Buffer.from(status.serializeBinary());
    return {
      code: UNKNOWN,
      details: message,
      headers: { "grpc-status-details-bin": bytes.toString("base64") },
    };
  }
  return { code: UNKNOWN, details: message };
}
