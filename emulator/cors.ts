/** Constant headers of every answer (spec, "Authentication" 8). */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "access-control-allow-headers": "Content-Type, Authorization",
} as const;

/** More headers of an answer to a preflight request (spec, "Versioning" 2). */
export const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "x-workspace-automation-media-type": "workspace-automation.v1.0.0",
} as const;
