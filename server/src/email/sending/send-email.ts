import { type Attempt, type Limited, limitConcurrency } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { type Compose, TooComplex } from "../compose/compose-apart.ts";
import { findSender } from "../domain/find-sender.ts";
import { findSendBody } from "../rows.sql.ts";
import type { BounceKind, EmailTransport, SendOutcome } from "../transport.ts";
import type { ClaimedEmail } from "./claim-due.ts";
import { isLarge, outgoingEmailOf } from "./outgoing-email.ts";
import { awaitRecorded } from "./record-accepted.ts";

/** Messages being prepared at once: one is composed while others are signed in the thread pool. */
const preparedAtOnce = 4;
/** One large message is composed while the next one is read: texts aren't in memory before their turn. */
const largePreparedAtOnce = 2;

/** A transport with the limits of concurrent preparation. */
interface EmailRoute {
  transport: EmailTransport;
  small: Limited;
  large: Limited;
  compose: Compose | undefined;
}

type Send = (ctx: Ctx, claimed: ClaimedEmail, attempt: Attempt) => Promise<SendOutcome | null>;

/** Creates the function that sends one claimed recipient's copy: composes it, signs it and passes it to the transport. */
export function createSend(transport: EmailTransport, compose: Compose | undefined): Send {
  const route: EmailRoute = { transport, compose, small: limitConcurrency(preparedAtOnce), large: limitConcurrency(largePreparedAtOnce) };
  return (ctx, claimed, attempt) => sendOne(ctx, route, { claimed, attempt });
}

/**
 * Never throws. A message that no attempt could compose fails. If composing fails because of a fault of ours, it waits and is tried again,
 * and no attempt is counted, because it hasn't been sent. null: its lease was lost or it was released before a server had it.
 */
async function sendOne(
  ctx: Ctx,
  route: EmailRoute,
  { claimed, attempt }: { claimed: ClaimedEmail; attempt: Attempt },
): Promise<SendOutcome | null> {
  const { transport, compose } = route;
  const { signal } = attempt;
  const { email, recipient } = claimed;
  const provider = transport.name;
  const refuse = (diagnostic: string, subtype: BounceKind["subtype"] = "policy"): SendOutcome => {
    return { provider, result: "refused", suppress: false, bounce: { type: "permanent", subtype }, diagnostic };
  };
  try {
    // Between acceptance and sending a domain may be deleted or lose its verification.
    if (email.livemode && !(await findSender(ctx, email, email.from_address)).allowed)
      return refuse("The sender's domain is no longer verified.");
    // Composing is wasted on a message that can't leave now. The others in front of it may show that too.
    const { smtp_code, enhanced_code } = recipient;
    const to = { project_id: email.project_id, to: recipient.address, previous: { smtp_code, enhanced_code } };
    const foreseen = (await transport.foresee?.(to, signal)) ?? (() => null);
    if (signal.aborted) return null;
    const early = foreseen();
    if (early !== null) return early;
    const prepare = async () => {
      await awaitRecorded(ctx);
      if (signal.aborted) return null;
      const late = foreseen();
      if (late !== null) return late;
      const body = claimed.body ?? (await findSendBody(ctx, email, email.id));
      return body === null ? null : outgoingEmailOf(ctx, { email, recipient, body, compose });
    };
    // A large message waits for its thread, and must not make small ones wait too.
    const outgoing = await (isLarge(email) ? route.large : route.small)(prepare);
    if (signal.aborted) return null;
    if (outgoing === null) return refuse("The body of this message has been deleted.");
    if ("result" in outgoing) return outgoing;
    attempt.onAccepted();
    const outcome = await transport.send(outgoing, signal);
    // We stopped it before a server had all of it, so there is no attempt to report.
    return signal.aborted && (outcome.result === "deferred" || outcome.result === "held") ? null : outcome;
  } catch (error) {
    if (error instanceof TooComplex) {
      ctx.log.warn({ err: error, email: email.id }, "a message exceeded the limits for composing; it has failed");
      return refuse(`${error.message} Send it with simpler HTML.`, "content_too_complex");
    }
    ctx.log.error({ err: error, email: email.id }, "a message could not be prepared for sending; it will be tried again");
    return { provider, result: "held", until: nextTry(ctx, email), reason: "The message couldn't be prepared for sending." };
  }
}

const soonestMs = 10_000;
const latestMs = 1_800_000;

/** Soon at first, since most faults of ours pass; then at growing intervals, in proportion to how long it has waited. */
function nextTry(ctx: Ctx, { scheduled_at, created_at }: ClaimedEmail["email"]): Date {
  const now = ctx.now().getTime();
  const waited = now - (scheduled_at ?? created_at).getTime();
  return new Date(now + Math.min(Math.max(waited / 4, soonestMs), latestMs));
}
