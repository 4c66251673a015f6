import { type Admitted, checkDestination, type Guard, simulateGuards } from "#guards/index.ts";
import { type Add, readRecipient, type Telephone } from "#messaging/index.ts";
import { readSender, type Sender } from "#numbers/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { SmsInput } from "../shapes.ts";
import { foreignTestSender, fullTestSender, simulatedRefusal, usualTestSender } from "../simulator/magic-numbers.ts";
import type { Lookups } from "./look-up.ts";

/** The sender and the recipient of a message. */
export interface CheckedNumbers {
  sender: Sender;
  recipient: Telephone;
  /** The project's guards, and what the message counts against; null in TEST, and for refused messages. */
  guard: Guard;
  admitted: Admitted | null;
}

const anybody: Sender = { value: usualTestSender, kind: "number" };
const unknownNumber: Telephone = { number: "", country: "ZZ" };
const notANumber = "This isn't a phone number in international form, such as +15551230000.";

interface Checking {
  input: SmsInput;
  lookups: Lookups;
  add: Add;
}

/** Reads the numbers of a request; `add` gets every error. LIVE requires a transport, an allowed country and an approved sender. */
export async function checkNumbers(ctx: Ctx, tenant: Tenant, { input, lookups, add }: Checking): Promise<CheckedNumbers> {
  const guard = await lookups.guard();
  const recipient = readRecipient(input.to, { strict: tenant.livemode, opened: guard?.policy.opened_prefixes ?? [], add });
  const given = input.from == null || input.from === "" ? null : readSender(input.from);
  if (given === null && input.from != null && input.from !== "")
    add("from", "parameter_invalid", {
      reason: "not_a_sms_sender",
      message: "The sender must be a number in international form, a short code, or a sender name of up to 11 letters and digits.",
    });
  if (guard === null) {
    if (recipient !== null) simulateRefusals(input, add);
    return { sender: given ?? anybody, recipient: recipient ?? unknownNumber, guard, admitted: null };
  }
  const live = recipient === null ? null : await checkLive(ctx, { input, given, recipient, guard, lookups, add });
  return { sender: live?.sender ?? anybody, recipient: recipient ?? unknownNumber, guard, admitted: live?.admitted ?? null };
}

interface Live extends Checking {
  given: Sender | null;
  recipient: Telephone;
  guard: NonNullable<Guard>;
}

/** Without a route nothing else matters. */
async function checkLive(
  ctx: Ctx,
  { input, given, recipient, guard, lookups, add }: Live,
): Promise<{ sender: Sender; admitted: Admitted } | null> {
  const { routes } = ctx.sms;
  const { number: to, country } = recipient;
  const noRoute = () =>
    add("to", "no_route", { reason: "no_route", values: { value: country }, message: `No route is set up for messages to ${country}.` });
  if (routes.length === 0) {
    noRoute();
    return null;
  }
  const admitted = await checkDestination(ctx, guard, { channel: "sms", to: recipient, add });
  if (!routes.some((route) => route.takes({ to, country }))) noRoute();
  if (given === null && input.from != null && input.from !== "") return null;
  const sender = given ?? (await lookups.findUsual(country));
  if (sender === null)
    add("from", "parameter_missing", {
      reason: "required",
      message: "from is required: this project has no default sender for this recipient.",
    });
  else if (given !== null && !(await lookups.mayUse(sender, country)))
    add("from", "sender_not_allowed", {
      reason: "sender_not_allowed",
      values: { value: sender.value },
      message: `${sender.value} isn't approved for SMS from this project.`,
    });
  return sender === null ? null : { sender, admitted };
}

/** Applies the refusals that the simulator's numbers stand for. */
function simulateRefusals({ to, from }: SmsInput, add: Add): void {
  const refusal = simulatedRefusal(to);
  if (refusal === "invalid") add("to", "recipient_invalid", { reason: "not_a_telephone_number", message: notANumber });
  if (refusal === "not_mobile")
    add("to", "recipient_invalid", { reason: "not_a_mobile_number", message: "This number can't receive messages (simulated)." });
  simulateGuards(to, add);
  if (refusal === "opted_out")
    add("to", "recipient_opted_out", { reason: "opted_out", message: "The recipient has opted out (simulated)." });
  if (from === foreignTestSender)
    add("from", "sender_not_allowed", {
      reason: "sender_not_allowed",
      values: { value: from },
      message: "This number isn't approved for this project (simulated).",
    });
  if (from === fullTestSender)
    add("from", "quota_exceeded", { reason: "quota_exceeded", message: "This number's queue is full (simulated)." });
  if (refusal === "no_route")
    add("to", "no_route", {
      reason: "no_route",
      values: { value: "US" },
      message: "No route is set up for messages to this number (simulated).",
    });
}
