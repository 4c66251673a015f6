import Type from "typebox";
import { isoOf } from "#platform/index.ts";
import type { Thread } from "#sms/index.ts";
import { flag, idOf, instant, instantOrNull, oneOf, shape, text } from "../fields/fields.ts";
import { type SmsShape, showSms } from "./sms.ts";

export type SmsThreadShape = ReturnType<typeof showSmsThread>;

export const smsThreadSchema = shape("SmsThread", "A conversation between one of the project's numbers and somebody who has written to it.", {
  id: idOf("sms", "The contact's newest message. Each new one takes its place."),
  object: oneOf(["sms_thread"], "Always `sms_thread`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment."),
  contact: text("The other side's number.", ["+15005551000"]),
  number: text("The project's own number.", ["+15005550006"]),
  country: text("The country of the contact's number (ISO 3166-1 alpha-2); `ZZ` for numbers of no country.", ["US"]),
  opted_out_at: instantOrNull("Since when nothing may be sent to the contact from this number; null: it may."),
  last_message: Type.Unsafe<SmsShape>({ $ref: "Sms#", description: "The newest message, whoever sent it." }),
  received_at: instant("When the contact last wrote."),
});

export function showSmsThread({ received, last, optedOutAt }: Thread) {
  const { id, project_id, livemode, sender, recipient, country, created_at } = received;
  const sides = { contact: sender, number: recipient, country };
  const message = { opted_out_at: isoOf(optedOutAt), last_message: showSms(last), received_at: isoOf(created_at) };
  return { id, object: "sms_thread" as const, project_id, livemode, ...sides, ...message };
}
