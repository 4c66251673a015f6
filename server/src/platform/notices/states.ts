import { defineStates } from "../database/states.ts";

export type NoticeState = "due" | "leased" | "set_aside" | "sent" | "skipped" | "failed";

/** A notice ends once, and only under a lease. */
export const noticeStates = defineStates<NoticeState>("notice", {
  due: ["leased"],
  leased: ["due", "set_aside", "sent", "skipped", "failed"],
  set_aside: ["due"],
  sent: [],
  skipped: [],
  failed: [],
});
