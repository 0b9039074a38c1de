/** Statuses of refusals, as this service chooses them. */
import { isRateLimitExceeded, ServiceError } from "./errors.js";
import type { Settings } from "./settings.js";

type Statuses = Pick<Settings, "missingStatus" | "deniedStatus" | "unauthorizedStatus" | "conflictStatus">;

/** Returns the error with the status and the message that this service gives it. */
export function convertStatus(error: ServiceError, settings: Statuses): ServiceError {
  const { missingStatus, deniedStatus, unauthorizedStatus, conflictStatus } = settings;
  const isDenied = error.status === 403 && !isRateLimitExceeded(error);
  // A service that hides what exists says the same of what does not.
  if (error.status === 404 || (isDenied && deniedStatus === 404))
    return withStatus(error, missingStatus, missingStatus === 403 ? "Access denied." : undefined);
  if (error.status === 401) return withStatus(error, unauthorizedStatus);
  if (error.status === 409) return withStatus(error, conflictStatus);
  return error;
}

function withStatus(error: ServiceError, status: number, message?: string): ServiceError {
  if (error.status === status) return error;
  const hides = error.status === 403 ? "Not found." : error.message;
  return new ServiceError(status, message ?? hides);
}
