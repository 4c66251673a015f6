import type { ComposeParts } from "#email/compose/compose-email.ts";

/** A small message without links, attachments or signature. */
export const plainMessage: ComposeParts & { html: null; text: string } = {
  message_id: "<em_1@acme.example>",
  date: new Date("2026-11-20T08:00:00Z"),
  from: "Acme <hello@acme.example>",
  to: ["Ada <ada@example.com>"],
  cc: [],
  reply_to: [],
  subject: "Hello",
  html: null,
  text: "Hi",
  headers: {},
  attachments: [],
  unsubscribe: null,
  dkim: null,
};
