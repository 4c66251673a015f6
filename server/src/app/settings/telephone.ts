import Type from "typebox";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { inGroup, type Setting, secret } from "./setting.ts";

const telephone = inGroup("SMS and calls");
const text = Type.String({ minLength: 1 });

/** How SMS are sent. */
export const telephoneSettings = {
  SMPP_BINDS: secret(
    telephone(
      text,
      null,
      "SMPP connections (binds) to carriers for LIVE SMS, separated by commas: `smpp://system_id:password@host:2775?name=main&window=10&tps=10&countries=86,1&weight=1`, or `smpps://` with TLS. `window` is how many messages can wait for a response, `tps` how many are sent per second, `countries` the calling codes, longer prefixes or ISO codes the bind is for (all if omitted), `weight` its share if several binds fit. Also `system_type`, `alphabet` (what the carrier means by data coding 0: `gsm7`, `gsm7-packed`, `latin1`, `ascii`), `short_code_ton`, `short_code_npi`, and `receipt_zone` (the time zone of its receipts, `%2B08:00`).",
      faultOf(readBinds),
    ),
  ),
  SMS_HTTP_URL: secret(
    telephone(
      text,
      null,
      "Accounts with Twilio or carriers with a compatible HTTP API, for LIVE SMS, separated by commas: `https://AccountSid:AuthToken@api.twilio.com?name=main&countries=86,1&weight=1`. A path replaces `/2010-04-01` if another carrier's API has a different one. `countries` and `weight` work as in `SMPP_BINDS`; `window` is the number of concurrent requests (10). Also `messaging_service` (the SID of a messaging service that has the senders), `account` (the AccountSid, if the URL has an API key and its secret), and `signing_key` (the key that signs callbacks, if it isn't the AuthToken). API processes need this setting too, because they receive the carriers' callbacks.",
      faultOf(readSmsAccounts),
    ),
  ),
} satisfies Record<string, Setting>;

/** What is wrong with a value, in the words of its parser. */
function faultOf(read: (value: string) => unknown): (value: string) => string | null {
  return (value) => {
    try {
      read(value);
      return null;
    } catch (error) {
      return `can't be used: ${(error as Error).message}`;
    }
  };
}
