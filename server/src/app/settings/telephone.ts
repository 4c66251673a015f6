import Type from "typebox";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
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
      smppBindsFault,
    ),
  ),
} satisfies Record<string, Setting>;

function smppBindsFault(value: string): string | null {
  try {
    readBinds(value);
    return null;
  } catch (error) {
    return `can't be used: ${(error as Error).message}`;
  }
}
