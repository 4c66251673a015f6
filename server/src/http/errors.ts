import { defineErrors } from "#platform/index.ts";

/** Errors that only a surface can meet. */
export const httpErrors = defineErrors({
  project_mismatch: [403, "This API key belongs to another project."],
  origin_not_allowed: [403, "A request with a session must come from a page of this server."],
});
