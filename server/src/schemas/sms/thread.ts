import Type from "typebox";
import { isoOf } from "#platform/index.ts";
import type { Thread } from "#sms/index.ts";
import { flag, idOf, instant, instantOrNull, oneOf, shape, text } from "../fields/fields.ts";
import { type SmsShape, showSms } from "./sms.ts";

export type SmsThreadShape = ReturnType<typeof showSmsThread>;

export const smsThreadSchema = shape("SmsThread", "A conversation between one of the project's numbers and a contact who has texted it.", {
  id: idOf("sms", "The contact's latest message. It changes with each new one."),
  object: oneOf(["sms_thread"], "Always `sms_thread`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  contact: text("The contact's number.", ["+15005551000"]),
  number: text("The project's own number.", ["+15005550006"]),
  country: text("The contact's country (ISO 3166-1 alpha-2); `ZZ` if the number has none.", ["US"]),
  opted_out_at: instantOrNull("When the contact opted out of this number; null if they haven't."),
  last_message: Type.Unsafe<SmsShape>({ $ref: "Sms#", description: "The latest message from either side." }),
  received_at: instant("When the contact last sent a message."),
});

export function showSmsThread({ received, last, optedOutAt }: Thread) {
  const { id, project_id, livemode, sender, recipient, country, created_at } = received;
  const sides = { contact: sender, number: recipient, country };
  const message = { opted_out_at: isoOf(optedOutAt), last_message: showSms(last), received_at: isoOf(created_at) };
  return { id, object: "sms_thread" as const, project_id, livemode, ...sides, ...message };
}
