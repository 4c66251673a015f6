import { readTelephone } from "#messaging/index.ts";
import { readSender } from "#numbers/index.ts";
import { type Ctx, type ErrorDetail, platformErrors, type Tenant } from "#platform/index.ts";
import { faultySms } from "../accept/check-sms.ts";
import { bodyLengthMax } from "../accept/check-text.ts";
import type { SmsRow } from "../shapes.ts";
import { usualTestSender } from "../simulator/magic-numbers.ts";
import { splitText } from "../text/split-text.ts";
import { receiveSms } from "./receive-sms.ts";

export interface InboundSmsInput {
  from: string;
  /** The number that it was sent to; the simulator's own if absent. */
  to?: string | null;
  body: string;
}

/**
 * Simulates an inbound message in TEST, with the same code as a real one. Throws environment_mismatch in LIVE, and all faults of the
 * request at once.
 */
export async function simulateInboundSms(ctx: Ctx, tenant: Tenant, input: InboundSmsInput): Promise<SmsRow> {
  if (tenant.livemode) throw platformErrors.environment_mismatch();
  const to = input.to ?? usualTestSender;
  const faults: ErrorDetail[] = [];
  const from = readTelephone(input.from, { strict: false });
  const notANumber = {
    code: "parameter_invalid",
    reason: "not_a_telephone_number",
    message: "This isn't a phone number in international form.",
  };
  if (typeof from === "string") faults.push({ param: "sms.from", ...notANumber });
  if ((readSender(to)?.kind ?? "alphanumeric") === "alphanumeric") faults.push({ param: "sms.to", ...notANumber });
  if (input.body === "" || input.body.includes("\u0000") || !input.body.isWellFormed() || [...input.body].length > bodyLengthMax) {
    const message = `The text must have 1 to ${bodyLengthMax} characters, all of which can be sent.`;
    faults.push({ param: "sms.body", code: "parameter_invalid", reason: "forbidden_characters", message });
  }
  if (faults.length > 0) throw faultySms(faults);
  const { encoding, segments } = splitText(input.body);
  const received = {
    tenant: { project_id: tenant.project_id, livemode: tenant.livemode },
    provider: "simulator",
    from: input.from,
    to,
    body: input.body,
  };
  return ctx.transact((tx) => receiveSms(tx, ctx, { ...received, encoding, segments: segments.length }));
}
