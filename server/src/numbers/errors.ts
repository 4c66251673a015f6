import { defineErrors } from "#platform/index.ts";

export const numberErrors = defineErrors({
  number_taken: [409, "This number belongs to another project."],
});
