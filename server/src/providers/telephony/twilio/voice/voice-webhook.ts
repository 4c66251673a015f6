import type { CarrierLineHandler, LineKey } from "#calls/index.ts";
import type { CarrierAnswer, CarrierRefusal, CarrierRequest, CarrierWebhook } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { type Believed, verifyCallback } from "../account/verify-callback.ts";
import { addressesOf } from "./addresses.ts";
import { placeOf } from "./classify-call.ts";
import type { VoiceAccount } from "./settings.ts";
import { hangUpDocument, waitingDocument } from "./twiml.ts";
import { sidPattern } from "./voice-client.ts";

export interface VoiceWebhookOptions {
  accounts: readonly VoiceAccount[];
  handler(ctx: Ctx): CarrierLineHandler;
}

/** Receives carriers' requests about calls: the next document at `next`, audio at `sound.wav`, status reports at `status`. */
export function createVoiceWebhook({ accounts, handler }: VoiceWebhookOptions): CarrierWebhook {
  const byName = new Map(accounts.map((account) => [account.name, account]));
  return {
    channel: "calls",
    has: (name) => byName.has(name),
    async take(ctx, name, request) {
      const account = byName.get(name);
      if (account === undefined) return "unsupported";
      // Carriers fetch audio through caches that sign nothing: the token is the permission to hear it.
      if (request.path === "sound.wav") return answerSound(handler(ctx), request);
      const verdict = verifyCallback(account, ctx.publicUrl, request);
      if (!verdict.ok) return verdict.reason;
      const sid = verdict.fields.get("AccountSid");
      if (sid !== undefined && sid !== account.accountSid) return "unsupported";
      const line = lineOf(handler(ctx), verdict.query);
      if (line === null) return "signature";
      if (!sidPattern.test(verdict.fields.get("CallSid") ?? "")) return "malformed";
      if (request.path === "status") return takeStatus(handler(ctx), line, verdict);
      if (request.path === "next") return answerNext({ ctx, handler: handler(ctx), account, line }, verdict);
      return "unsupported";
    },
  };
}

function lineOf(handler: CarrierLineHandler, query: URLSearchParams): LineKey | null {
  const line = { project_id: query.get("project") ?? "", livemode: true, call_id: query.get("call") ?? "" };
  return handler.knows(line, query.get("token") ?? "") ? line : null;
}

function xml(body: string): CarrierAnswer {
  return { status: 200, headers: { "content-type": "text/xml; charset=utf-8", "cache-control": "no-store" }, body };
}

const nothingMore: CarrierAnswer = { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "" };

async function answerSound(handler: CarrierLineHandler, { method, url }: CarrierRequest): Promise<CarrierAnswer | CarrierRefusal> {
  const query = URL.parse(url, "http://here")?.searchParams;
  const line = query === undefined ? null : lineOf(handler, query);
  if (query === undefined || line === null) return "signature";
  const number = numberOf(query);
  const wav = number === null || method !== "GET" ? null : await handler.sound(line, number);
  if (wav === null) return "unsupported";
  return { status: 200, headers: { "content-type": "audio/wav", "cache-control": "no-store" }, body: wav };
}

function numberOf(query: URLSearchParams): number | null {
  const text = query.get("document") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null;
}

/** The carrier's fields that are used. */
const storedFields = ["CallSid", "CallStatus", "CallDuration", "SipResponseCode", "AnsweredBy", "Digits", "RecordingSid"];
const fieldMax = 200;

function factsOf({ fields }: Believed): Record<string, string> {
  return Object.fromEntries(
    storedFields.flatMap((name) => (fields.has(name) ? [[name, (fields.get(name) ?? "").slice(0, fieldMax)]] : [])),
  );
}

async function takeStatus(handler: CarrierLineHandler, line: LineKey, verdict: Believed): Promise<CarrierAnswer | CarrierRefusal> {
  const facts = factsOf(verdict);
  const status = facts["CallStatus"] ?? "";
  // Unknown words are ignored.
  if (placeOf(status) === null) return status === "" ? "malformed" : nothingMore;
  await handler.report(line, { topic: `status ${status}`, facts });
  return nothingMore;
}

interface DocumentRequest {
  ctx: Pick<Ctx, "publicUrl">;
  handler: CarrierLineHandler;
  account: VoiceAccount;
  line: LineKey;
}

async function answerNext({ ctx, handler, account, line }: DocumentRequest, verdict: Believed): Promise<CarrierAnswer | CarrierRefusal> {
  const number = numberOf(verdict.query);
  if (number === null) return "malformed";
  await handler.report(line, { topic: `document ${number}`, facts: factsOf(verdict) });
  const found = await handler.document(line, number);
  if (found === "over") return xml(hangUpDocument);
  if (found !== "waiting") return xml(found.text);
  const addresses = addressesOf({ publicUrl: ctx.publicUrl, account: account.name, line, token: verdict.query.get("token") ?? "" });
  return xml(waitingDocument(addresses.next(number)));
}
