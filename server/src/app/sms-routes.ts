import type { SmsSettings } from "#sms/index.ts";

/** The ways that LIVE messages by SMS can leave by. Without any they are refused with no_route. */
export const smsRoutes: SmsSettings["routes"] = [];
