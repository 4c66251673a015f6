import { defineErrors } from "#platform/index.ts";

/** Errors that only a surface can meet. */
export const httpErrors = defineErrors({
  project_mismatch: [403, "The project in the address is not the project of this API key."],
});
