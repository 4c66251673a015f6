import { type CarrierAccount, readAccounts } from "../account/read-accounts.ts";

/** An account that sends SMS. */
export interface SmsAccount extends CarrierAccount {
  /** The maximum number of concurrent requests. */
  window: number;
  /** The messaging service that sends them, if any. */
  messagingService: string | null;
}

const extras = {
  numbers: { window: { least: 1, most: 1_000, usual: 10 } },
  texts: { messaging_service: { pattern: /^MG[0-9a-f]{32}$/i, example: "MG and 32 hexadecimal digits" } },
} as const;

/** Parses `SMS_HTTP_URL`, or throws all its faults at once. */
export function readSmsAccounts(text: string): SmsAccount[] {
  return readAccounts(text, extras).map(({ numbers, texts, ...account }) => ({
    ...account,
    window: numbers.window,
    messagingService: texts.messaging_service,
  }));
}
