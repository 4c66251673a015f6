import Type from "typebox";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { readSmsAccounts } from "#providers/telephony/twilio/sms/settings.ts";
import { inGroup, type Setting, secret } from "./setting.ts";

const telephone = inGroup("SMS and calls");
const text = Type.String({ minLength: 1 });

/** How text messages leave. */
export const telephoneSettings = {
  SMPP_BINDS: secret(
    telephone(
      text,
      null,
      "Connections to carriers for LIVE text messages, separated by commas: `smpp://system_id:password@host:2775?name=main&window=10&tps=10&countries=86,1&weight=1`, or `smpps://` with TLS. `window` is how many messages may wait for their answers, `tps` how many leave in a second, `countries` the country codes, longer beginnings of numbers or ISO codes that the bind is for (without it: all), `weight` its share where several binds fit. Also `system_type`, `alphabet` (what the carrier means by data coding 0: `gsm7`, `gsm7-packed`, `latin1`, `ascii`), `short_code_ton`, `short_code_npi`, and `receipt_zone` (the time zone of its receipts, `%2B08:00`).",
      faultOf(readBinds),
    ),
  ),
  SMS_HTTP_URL: secret(
    telephone(
      text,
      null,
      "Accounts with carriers that speak Twilio's HTTP API, for LIVE text messages, separated by commas: `https://AccountSid:AuthToken@api.twilio.com?name=main&countries=86,1&weight=1`. A path stands for `/2010-04-01`, where another carrier has the API elsewhere. `countries` and `weight` are those of `SMPP_BINDS`, `window` is how many requests may be under way (10). Also `messaging_service` (the SID of a messaging service that holds the senders), `account` (the AccountSid, where an API key and its secret stand before the host), and `signing_key` (what callbacks are signed with, where it isn't the AuthToken). Processes that serve need it as well: they take the carriers' callbacks.",
      faultOf(readSmsAccounts),
    ),
  ),
} satisfies Record<string, Setting>;

/** What is wrong with a value, as whatever reads it says. */
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
