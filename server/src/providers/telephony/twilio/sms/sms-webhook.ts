import type { CarrierAnswer, CarrierRefusal, CarrierWebhook } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { InboundSms, SmsIntake, SmsReceipt } from "#sms/index.ts";
import { type Believed, verifyCallback } from "../account/verify-callback.ts";
import type { SmsAccount } from "./settings.ts";
import { wordOf } from "./words.ts";

export interface SmsWebhookOptions {
  accounts: readonly SmsAccount[];
  intake(ctx: Ctx): SmsIntake;
}

/** Receives carriers' requests about SMS: status reports at `status`, and inbound messages at `inbound`. */
export function createSmsWebhook({ accounts, intake }: SmsWebhookOptions): CarrierWebhook {
  const byName = new Map(accounts.map((account) => [account.name, account]));
  return {
    channel: "sms",
    has: (name) => byName.has(name),
    async take(ctx, name, request) {
      const account = byName.get(name);
      if (account === undefined) return "unsupported";
      const verdict = verifyCallback(account, ctx.publicUrl, request);
      if (!verdict.ok) return verdict.reason;
      const sid = verdict.fields.get("AccountSid");
      if (sid !== undefined && sid !== account.accountSid) return "unsupported";
      const provider = `http:${name}`;
      if (request.path === "status") return answer(readReceipt(provider, verdict), (receipt) => intake(ctx).receipt(receipt));
      if (request.path === "inbound") return answer(readInbound(provider, verdict, ctx.now()), (message) => intake(ctx).inbound(message));
      return "unsupported";
    },
  };
}

/** The carrier sends no reply: replies to a person go through the queue. */
const nothingToSay: CarrierAnswer = {
  status: 200,
  headers: { "content-type": "text/xml; charset=utf-8" },
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
};

/** Responds to the carrier once the report or message is stored. */
async function answer<Read>(read: Read | CarrierRefusal, store: (read: Read) => Promise<unknown>): Promise<CarrierAnswer | CarrierRefusal> {
  if (typeof read === "string") return read as CarrierRefusal;
  await store(read);
  return nothingToSay;
}

const idMax = 200;

/** The states that are acted on; others are ignored. */
const states: Readonly<Record<string, SmsReceipt["state"]>> = {
  delivered: "delivered",
  read: "delivered",
  undelivered: "undelivered",
  failed: "undelivered",
  canceled: "undelivered",
};

function readReceipt(provider: string, { fields, query }: Believed): SmsReceipt | CarrierRefusal {
  const id = fields.get("MessageSid") ?? fields.get("SmsSid") ?? "";
  const status = fields.get("MessageStatus") ?? fields.get("SmsStatus") ?? "";
  if (!isId(id) || status === "") return "malformed";
  const state = states[status] ?? "accepted";
  const errorCode = fields.get("ErrorCode") ?? "";
  const code = /^\d{5}$/.test(errorCode) ? Number(errorCode) : null;
  const message = messageOf(query);
  return {
    provider,
    provider_message_id: id,
    state,
    code: state === "undelivered" ? wordOf(code, status === "failed" ? "carrier_rejected" : "handset_unreachable") : null,
    provider_code: state === "undelivered" && code !== null ? String(code) : null,
    occurred_at: null,
    ...(message === null ? {} : { message }),
  };
}

/** The address is ours, and signed with the rest. */
function messageOf(query: URLSearchParams): SmsReceipt["message"] | null {
  const [project_id, id] = [query.get("project"), query.get("message")];
  return project_id === null || id === null ? null : { project_id, livemode: true, id };
}

function readInbound(provider: string, { fields }: Believed, received_at: Date): InboundSms | CarrierRefusal {
  const id = fields.get("MessageSid") ?? fields.get("SmsSid") ?? "";
  const [from, to] = [fields.get("From") ?? "", fields.get("To") ?? ""];
  const body = fields.get("Body");
  if (!isId(id) || from === "" || to === "" || body === undefined) return "malformed";
  // `whatsapp:+1555…` and the like aren't SMS.
  if (!isNumber(from) || !isNumber(to)) return "unsupported";
  return { provider, provider_message_id: id, from, to, body, encoding: null, received_at, part: null };
}

function isId(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && text.length <= idMax;
}

/** Accepts numbers, short codes and names. */
function isNumber(text: string): boolean {
  return /^[+\w .&-]{1,20}$/.test(text);
}
