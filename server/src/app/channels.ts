import { callChannel } from "#calls/index.ts";
import { emailChannel } from "#email/index.ts";
import { smsChannel } from "#sms/index.ts";

/** The channels that messages are sent through. A channel adds itself here, and limits, quotas, suppressions and batches include it. */
export const channels = [emailChannel, smsChannel, callChannel];
