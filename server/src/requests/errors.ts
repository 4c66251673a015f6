import { defineErrors } from "#platform/index.ts";

/** Errors that a request gets on any surface. */
export const requestErrors = defineErrors({
  project_mismatch: [403, "This API key belongs to another project."],
  request_timeout: [408, "The request didn't arrive completely in time, so nothing was done."],
  host_not_allowed: [421, "This server doesn't serve the requested host name."],
  origin_not_allowed: [403, "Requests with a session must come from a page of this server."],
});
