import { defineErrors } from "#platform/index.ts";

export const callErrors = defineErrors({
  call_state_conflict: [409, "The call's status doesn't allow this."],
});
