/** Creates an object exactly once, even when a response is lost. */
import { isServiceError, ServiceError, type ServiceErrorDetails } from "./errors.js";
import type { CallOptions, ServiceRequest, Transport } from "./transport.js";

export interface CreateOptions extends CallOptions {
  /**
   * Ids (or names) of the objects that existed before. When the response to the POST is lost, an object of the same natural key that is
   * not among them is the one that was created. Without it, every object of that key counts. It is only read after a lost response, so
   * the set may grow while other objects are created.
   */
  existing?: ReadonlySet<number | string> | undefined;
}

/** Recognizes an object before its id is known. */
export interface NaturalKey<Full, Item> {
  /** For messages: `group named "QA"`. Never a secret. */
  what: string;
  /** The objects to search. */
  candidates: (options: CallOptions) => Promise<Iterable<Item>>;
  /** `maybe` when the service does not show the key of this item. */
  matches: (item: Item) => boolean | "maybe";
  id: (item: Item) => number | string;
  /** The full object for a candidate. */
  read: (item: Item, options: CallOptions) => Promise<Full>;
}

/** How often a lost POST is looked up before it is sent again: the service may still be working on it. */
const LOOK_UPS = 3;
const LOOK_UPS_AFTER_TIMEOUT = 6;

/** Creates exactly one object: after a lost response, looks it up by the natural key before another attempt. */
export async function createOnce<Full, Item>(
  transport: Transport,
  request: ServiceRequest,
  key: NaturalKey<Full, Item>,
  options: CreateOptions,
  post: () => Promise<Full>,
): Promise<Full> {
  const lookUp = () => findNew(request, key, options);
  for (let attempt = 1, lost: ServiceError | undefined; ; attempt++) {
    let created: Full;
    try {
      created = await post();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const found = await findAfterLoss(transport, request, error, lost !== undefined, lookUp, options);
      if (found !== undefined) return key.read(found, options);
      if (!error.mayHaveBeenApplied || attempt > transport.settings.retry.limit) throw error;
      lost = error;
      continue;
    }
    // After a lost attempt there may be two objects: the one just created, and one of the lost attempt.
    if (lost) await lookUp();
    return created;
  }
}

async function findAfterLoss<Item>(
  transport: Transport,
  request: ServiceRequest,
  error: ServiceError,
  repeated: boolean,
  lookUp: () => Promise<Item | undefined>,
  options: CreateOptions,
): Promise<Item | undefined> {
  // A refusal of a repeated POST may mean that the first one was executed late.
  if (!error.mayHaveBeenApplied) return repeated ? lookUp() : undefined;
  const lookUps = error.code === "timeout" ? LOOK_UPS_AFTER_TIMEOUT : LOOK_UPS;
  for (let i = 1; i <= lookUps; i++) {
    await transport.pause(i, request, error, options.signal);
    const found = await lookUp();
    if (found !== undefined) return found;
  }
  return undefined;
}

async function findNew<Full, Item>(
  request: ServiceRequest,
  key: NaturalKey<Full, Item>,
  { existing, signal }: CreateOptions,
): Promise<Item | undefined> {
  const sure: Item[] = [];
  const maybe: Item[] = [];
  for (const item of await listCandidates(request, key, signal)) {
    if (existing?.has(key.id(item))) continue;
    const match = key.matches(item);
    if (match === true) sure.push(item);
    else if (match === "maybe") maybe.push(item);
  }
  // An item with a hidden key is the new one only if it did not exist before, which only `existing` tells.
  if (sure.length === 0 && maybe.length > 0 && !existing) throw createUnresolvedError(request, key.what);
  const found = sure.length > 0 ? sure : maybe;
  if (found.length < 2) return found[0];
  const ids = found.map(key.id);
  throw createAmbiguousError(request, {
    what: `the response was lost, and several objects may be the ${key.what}: ${ids.join(", ")}`,
    remedy: "Keep one of them, delete the others in the service, and use the id of that one.",
    candidates: ids,
  });
}

async function listCandidates<Full, Item>(
  request: ServiceRequest,
  key: NaturalKey<Full, Item>,
  signal: AbortSignal | undefined,
): Promise<Iterable<Item>> {
  try {
    return await key.candidates({ signal });
  } catch (error) {
    throw isServiceError(error) ? createUnresolvedError(request, key.what, error) : error;
  }
}

function createUnresolvedError(request: ServiceRequest, what: string, cause?: ServiceError): ServiceError {
  const why = cause ? ` (${cause.message})` : "";
  return createAmbiguousError(request, {
    what: `the response was lost, and the ${what} could not be looked up${why}`,
    remedy: `Check whether the ${what} exists: if it does, use it (adopt: true), and otherwise create it again.`,
    cause,
  });
}

/** The error for a lost request whose outcome is unknown. */
export function createAmbiguousError(
  { method, path }: ServiceRequest,
  details: Omit<ServiceErrorDetails, "code">,
): ServiceError {
  return new ServiceError({ code: "ambiguous", method, path, mayHaveBeenApplied: true, ...details });
}
