import { type Add, checkCallback, checkLabels, faultsError, readTimes, type SendingTier } from "#messaging/index.ts";
import {
  type AnyText,
  addressInName,
  bytesIn,
  type Ctx,
  canonicalAddress,
  charactersIn,
  type ErrorDetail,
  findNow,
  holdsAddress,
  type Tenant,
} from "#platform/index.ts";
import { findSender } from "../domain/find-sender.ts";
import { type Mailbox, readMailbox } from "../domain/read-mailbox.ts";
import { emailErrors } from "../errors.ts";
import { htmlBytesMax, isTooDeep } from "../html/nesting.ts";
import { nestingMax } from "../html/walk-html.ts";
import type { Addresses, EmailInput } from "../shapes.ts";
import { hasControl, hasLongWord, isReserved, turnsWriting } from "./address-rules.ts";
import { checkHeaders, type DecodedAttachment, readAttachments } from "./check-parts.ts";

export interface CheckedRecipient extends Mailbox {
  type: "to" | "cc" | "bcc";
}

/** A request after the rules were applied. */
export interface CheckedEmail {
  from: Mailbox;
  recipients: CheckedRecipient[];
  attachments: DecodedAttachment[];
  scheduled_at: Date | null;
  expires_at: Date;
}

const recipientsMax = 50;
/** How many seconds a message is tried for. */
const expiry = { param: "expires_in", min: 60, max: 172_800 } as const;
const textLengthMax = 2_000_000;
const turned = "Names can't contain characters that reverse the writing direction.";

/** Applies rules that no schema can express. Returns all faults at once; none if the message may be sent. */
export async function checkEmail(
  ctx: Ctx,
  tenant: Tenant,
  { tier, email }: { tier: SendingTier; email: EmailInput },
): Promise<{ checked: CheckedEmail; faults: ErrorDetail[] }> {
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const from = readSender(email, add);
  // If email isn't sent at all, system emails are stored as files, and the first accounts may have made-up addresses.
  const recipients = readRecipients({ strict: tenant.livemode && tier !== "system" }, email, add);
  checkTexts(email, add);
  await checkHtml(email.html ?? "", add);
  checkHeaders(email, add);
  checkLabels(email, add);
  const attachments = readAttachments(email, add);
  const times = readTimes(email, { expiry, now: email.scheduled_at == null ? ctx.now() : await findNow(ctx.db), add });
  await checkCallback(ctx, email.status_callback, add);
  if (from.domain !== "" && tenant.livemode && tier !== "system" && !(await findSender(ctx, tenant, from.address)).allowed)
    add("from", "domain_not_verified", { reason: "domain_not_verified", values: { value: from.domain }, message: notAllowed(ctx, from) });
  return { checked: { from, recipients, attachments, ...times }, faults };
}

function notAllowed({ mail }: Ctx, { address, domain }: Mailbox): string {
  return domain === mail.domain
    ? `${address} is reserved for system emails. Send from another address at ${domain}.`
    : `${domain} isn't verified for this project. Add and verify it under Domains, or send from the platform's domain.`;
}

const own = {
  attachment_invalid: emailErrors.attachment_invalid,
  header_not_allowed: emailErrors.header_not_allowed,
  domain_not_verified: emailErrors.domain_not_verified,
};

/** The error that lists all faults. Its code is that of the first one. */
export function faultyEmail(faults: ErrorDetail[], sentence?: string): Error {
  return faultsError(faults, { sentence, own });
}

function readSender(email: EmailInput, add: Add): Mailbox {
  const from = readMailbox(email.from);
  if (turnsWriting(email.from)) add("from", "parameter_invalid", { reason: "turned_writing", message: turned });
  else if (from === null)
    add("from", "parameter_invalid", {
      reason: "not_a_sender",
      message: "The sender must be an address, or a name and an address such as `Acme <orders@acme.com>`.",
    });
  else if (holdsAddress(from.name ?? "", from.address))
    add("from", "parameter_invalid", { reason: "address_in_name", message: addressInName });
  if (from !== null) return from;
  return { address: "", local: "", domain: "", name: null };
}

export function addressList(addresses: Addresses | null | undefined): string[] {
  return addresses == null ? [] : typeof addresses === "string" ? [addresses] : addresses;
}

/** One delivery per address: repeating an address doesn't add another. */
function readRecipients({ strict }: { strict: boolean }, email: EmailInput, add: Add): CheckedRecipient[] {
  const fields = [
    ["to", email.to],
    ["cc", email.cc],
    ["bcc", email.bcc],
  ] as const;
  const all = fields.flatMap(([type, value]) =>
    addressList(value).map((text, index) => ({ type, text, param: typeof value === "string" ? type : `${type}[${index}]` })),
  );
  if (addressList(email.to).length === 0)
    add("to", "parameter_missing", { reason: "required", message: "At least one recipient is required." });
  if (all.length > recipientsMax)
    add("to", "recipient_invalid", {
      reason: "too_many",
      values: { max: recipientsMax },
      message: `A message can have up to ${recipientsMax} recipients, including cc and bcc.`,
    });
  const known = new Map<string, CheckedRecipient>();
  for (const { type, text, param } of all.slice(0, recipientsMax * 2)) {
    const address = readMailbox(text);
    if (turnsWriting(text)) add(param, "recipient_invalid", { reason: "turned_writing", message: turned });
    else if (address === null) add(param, "recipient_invalid", { reason: "not_an_email", message: "This isn't an email address." });
    else if (strict && isReserved(address.domain))
      add(param, "recipient_invalid", {
        reason: "reserved_domain",
        values: { value: address.domain },
        message: `${address.domain} is a reserved domain that can't receive email. Try it in TEST.`,
      });
    else if (holdsAddress(address.name ?? "", address.address))
      add(param, "recipient_invalid", { reason: "address_in_name", message: addressInName });
    else if (!known.has(canonicalAddress(address.address))) known.set(canonicalAddress(address.address), { ...address, type });
  }
  addressList(email.reply_to).forEach((text, index) => {
    const param = typeof email.reply_to === "string" ? "reply_to" : `reply_to[${index}]`;
    const mailbox = readMailbox(text);
    if (turnsWriting(text)) add(param, "parameter_invalid", { reason: "turned_writing", message: turned });
    else if (mailbox === null) add(param, "parameter_invalid", { reason: "not_an_email", message: "This isn't an email address." });
    else if (holdsAddress(mailbox.name ?? "", mailbox.address))
      add(param, "parameter_invalid", { reason: "address_in_name", message: addressInName });
  });
  if (addressList(email.reply_to).length > 10)
    add("reply_to", "parameter_invalid", {
      reason: "too_many",
      values: { max: 10 },
      message: "A message can have up to 10 reply addresses.",
    });
  return [...known.values()];
}

function checkTexts(email: EmailInput, add: Add): void {
  if (email.subject.trim() === "") add("subject", "parameter_missing", { reason: "required", message: "A subject is required." });
  if (hasControl(email.subject))
    add("subject", "parameter_invalid", {
      reason: "forbidden_characters",
      message: "A subject can't contain line breaks or control characters.",
    });
  if (Buffer.byteLength(email.subject) > 998)
    add("subject", "parameter_invalid", { reason: "too_many_bytes", values: { max: 998 }, message: "A subject can have up to 998 bytes." });
  if (hasLongWord(email.subject))
    add("subject", "parameter_invalid", {
      reason: "word_too_long",
      values: { max: 900 },
      message: "Each word of a subject can have up to 900 bytes.",
    });
  if (charactersIn(email.text ?? "") > textLengthMax)
    add("text", "parameter_invalid", {
      reason: "too_long",
      values: { max: textLengthMax },
      message: "The text can have up to 2 million characters.",
    });
  if ((email.html ?? "") === "" && (email.text ?? "") === "")
    add("html", "parameter_missing", { reason: "required", message: "Send html, text or both." });
}

/** Refuses HTML that would cost its readers, ours included, far more time than its length justifies. */
async function checkHtml(html: AnyText, add: Add): Promise<void> {
  if (bytesIn(html) > htmlBytesMax)
    add("html", "parameter_invalid", {
      reason: "too_many_bytes",
      values: { max: htmlBytesMax },
      message: "The HTML can be up to 2 MB. Attach large content, or link to it.",
    });
  else if (await isTooDeep(html))
    add("html", "parameter_invalid", {
      reason: "nested_too_deep",
      values: { max: nestingMax },
      message: `The HTML's elements can be nested up to ${nestingMax} deep. Check for tags that aren't closed.`,
    });
}
