/** Lists the objects of a type for the engine, page by page. Sends each result as soon as it is read. */
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { withoutMarks } from "../../../diff/values.js";
import type { Definition } from "../../../resources/definition/definition.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { ProviderError } from "../../../resources/errors.js";
import type { Session } from "../../connection/session.js";
import { isListable, listInputs, listObjects } from "../../discovery/list-objects.js";
import type { Props } from "../secret-marks.js";

/** @throws {ProviderError} when the service has no list of such objects */
export async function listPage(
  definition: Definition,
  session: Session,
  request: proto.ListRequest,
  given: Props,
  send: (response: proto.ListResponse) => void,
): Promise<void> {
  if (!isListable(definition))
    throw new ProviderError(
      "refused",
      `${definition.noun}s cannot be listed`,
      `read single objects by name or id instead (the functions get...)`,
    );
  const query = withoutMarks(given) as Props;
  const known = listInputs(definition);
  for (const name of Object.keys(query))
    if (!known.includes(name))
      throw new ProviderError(
        "refused",
        `the list of ${definition.noun}s has no argument "${name}"`,
        suggestOr(name, known, `remove it; the arguments of this list are ${known.join(", ")}`),
      );
  const begin = Number(request.getContinuationToken() || 0);
  const limit = request.getLimit() || Infinity;
  const end = Math.min(begin + (request.getPageSize() || Infinity), limit);
  let index = 0;
  for await (const { id, name } of listObjects(definition, session.context(query), query)) {
    if (index >= end) {
      if (end < limit) send(createContinuation(end));
      return;
    }
    if (index++ < begin) continue;
    const result = new proto.ListResponse.Result();
    result.setId(id);
    result.setName(name);
    const response = new proto.ListResponse();
    response.setResult(result);
    send(response);
  }
}

/** Ends a page. The token is the number of results so far. */
function createContinuation(index: number): proto.ListResponse {
  const next = new proto.ListResponse.Continuation();
  next.setContinuationToken(String(index));
  const response = new proto.ListResponse();
  response.setContinuation(next);
  return response;
}
