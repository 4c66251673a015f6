import { callChannel } from "#calls/index.ts";
import { emailChannel } from "#email/index.ts";
import { smsChannel } from "#sms/index.ts";

/** The channels that messages go out through. A channel adds itself here, and limits, quotas, suppressions and batches know it. */
export const channels = [emailChannel, smsChannel, callChannel];
