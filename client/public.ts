/** What the package exports as `pulumi-workspace-automation/client`. A test holds the list of names. */
export { WorkspaceAutomationClient, type ClientOptions } from "./client.js";
export { ServiceError, isServiceError, type ServiceErrorCode } from "./errors.js";
export type { TokenProvider } from "./auth/token.js";
export {
  OAuthServer,
  type AuthorizationRequest,
  type OAuthServerOptions,
  type Tokens,
} from "./auth/oauth-server.js";
export {
  clientCredentials,
  refreshingToken,
  type ClientCredentialsOptions,
  type RenewingOptions,
  type TokenStore,
} from "./auth/renewing.js";
export type { ConnectionOptions } from "./connect.js";
export type { ListEnd, Listing, ListReading, PageQuery } from "./paging.js";
export type { CreateOptions } from "./create-once.js";
export type { CallOptions } from "./transport.js";
export type { Permit, ProgressEvent, RetryEvent } from "./transport-settings.js";
export type { Exchange } from "./exchange.js";
export type { RateLimitState, RateLimitWait } from "./rate-limit.js";
export type { SlowResponse } from "./slow-response.js";
export type { RetryOptions } from "./retry.js";
export type { Fetch, Timeouts } from "./send.js";
export type { Clock } from "./clock.js";
export type * from "./api-types.js";
