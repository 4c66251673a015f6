import { defineErrors } from "#platform/index.ts";

/** Errors that only a surface can meet. */
export const httpErrors = defineErrors({
  project_mismatch: [403, "The project in the address is not one that these credentials reach."],
  origin_not_allowed: [403, "A request with a session must come from a page of this server."],
});
