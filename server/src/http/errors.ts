import { defineErrors } from "#platform/index.ts";

/** Errors that only a surface can meet. */
export const httpErrors = defineErrors({
  session_required: [403, "This route is for people signed in to the dashboard. An API key is not accepted."],
  project_mismatch: [403, "The project in the address is not the project of this API key."],
});
