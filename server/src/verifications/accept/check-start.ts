import { readDomainName } from "#email/index.ts";
import { findGuard } from "#guards/index.ts";
import { type Add, checkLabels, messagingErrors } from "#messaging/index.ts";
import { type Ctx, type ErrorDetail, platformErrors, type Tenant } from "#platform/index.ts";
import { readAddressee } from "../read/read-addressee.ts";
import type { VerificationInput, VerificationRow } from "../shapes.ts";

/** A request after the rules were applied. */
export type CheckedStart = Pick<
  VerificationRow,
  "recipient" | "country" | "channels" | "sender" | "locale" | "template" | "origin" | "code_length" | "fallback_s" | "metadata"
> & { expires_in: number };

const usual = { codeLength: 6, expiresIn: 600 };
/** The shortest time in seconds before the next channel is tried. */
export const fallbackMin = 15;

/** Applies rules that no schema can express and no channel knows. Throws all faults at once. */
export async function checkStart(ctx: Pick<Ctx, "db">, tenant: Tenant, input: VerificationInput): Promise<CheckedStart> {
  const guard = await findGuard(ctx, tenant);
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const found = readAddressee(input.to, { strict: tenant.livemode, opened: guard?.policy.opened_prefixes ?? [] });
  if ("fault" in found) add("to", "recipient_invalid", found.fault);
  const channels = [...new Set(input.channels)];
  const unfit = "fault" in found ? undefined : channels.find((channel) => !found.reachable.includes(channel));
  if (unfit !== undefined)
    add("channels", "parameter_invalid", {
      reason: "channel_unfit",
      values: { value: unfit },
      message: `A code can't be sent to this recipient by ${unfit}.`,
    });
  const sender = input.from == null || input.from === "" ? null : input.from;
  const expires_in = input.expires_in ?? usual.expiresIn;
  const fallback_s = input.fallback_after ?? null;
  if (fallback_s !== null && fallback_s >= expires_in) {
    const max = expires_in - 1;
    add("fallback_after", "parameter_invalid", {
      reason: "out_of_range",
      values: { min: fallbackMin, max },
      message: "The code would already have expired by then.",
    });
  }
  const locale = input.locale == null || input.locale === "" ? null : input.locale;
  if (locale !== null && !languageTag.test(locale))
    add("locale", "parameter_invalid", { reason: "language_tag", message: "Use a locale such as en-US or zh-CN." });
  const origin = readOrigin(input.origin, add);
  checkLabels(input, add);
  if (faults.length > 0) throw faultyStart(faults);
  const { recipient, country } = found as Exclude<typeof found, { fault: unknown }>;
  const own = { code_length: input.code_length ?? usual.codeLength, template: input.template ?? "code", locale };
  return { recipient, country, channels, sender, ...own, origin, fallback_s, metadata: input.metadata ?? {}, expires_in };
}

const languageTag = /^[A-Za-z]{1,8}([-_][A-Za-z0-9]{1,8}){0,4}$/;

/** Everything in a URL besides its host. */
const beyondHost = /[/?#:@\\\s]/;

/** The host of the page that reads the code from an SMS. */
function readOrigin(given: string | null | undefined, add: Add): string | null {
  if (given == null || given === "") return null;
  const host = beyondHost.test(given) ? null : readDomainName(given);
  if (host === null)
    add("origin", "parameter_invalid", { reason: "not_a_domain", message: "This isn't a domain name such as shop.example.com." });
  return host;
}

function faultyStart(faults: ErrorDetail[]): Error {
  const [first] = faults as [ErrorDetail];
  const own = first.code as "parameter_invalid" | "parameter_missing" | "card_number_refused";
  const make = first.code === "recipient_invalid" ? messagingErrors.recipient_invalid : platformErrors[own];
  return make({ param: first.param, message: first.message, details: faults });
}
