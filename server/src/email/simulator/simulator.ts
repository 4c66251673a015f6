import { followUpAt } from "#messaging/index.ts";
import { type Ctx, canonicalAddress } from "#platform/index.ts";
import type { EmailTransport, OutgoingEmail, SendOutcome } from "../transport.ts";

/** Domain whose local parts determine the result of a message in TEST. */
export const simulatorDomain = "simulator.tillpost.test";
const provider = "simulator";
const retryMs = 1_000;

const refusals: Record<string, SendOutcome> = {
  bounced: refused({ smtp_code: 550, enhanced_code: "5.1.1", diagnostic: "550 5.1.1 The mailbox does not exist (simulated)" }, "no_email"),
  "mailbox-full": refused(
    { smtp_code: 552, enhanced_code: "5.2.2", diagnostic: "552 5.2.2 The mailbox is full (simulated)" },
    "mailbox_full",
  ),
  blocked: refused(
    { smtp_code: 550, enhanced_code: "5.7.1", diagnostic: "550 5.7.1 Blocked for its sender's reputation (simulated)" },
    "blocked",
  ),
  expired: refused({ smtp_code: 451, enhanced_code: "4.4.7", diagnostic: "451 4.4.7 Delivery time expired (simulated)" }, "expired"),
  failed: refused({ smtp_code: null, enhanced_code: null, diagnostic: "The message could not be sent (simulated)" }, "policy"),
};

/** How recipients of TEST email behave: as their local part at the simulator's domain says; all others accept it. Nothing is sent. */
export function createSimulator(): EmailTransport {
  return {
    name: "simulator",
    concurrency: 64,
    send: async (outgoing) => outcomeOf(outgoing),
    close: async () => {},
  };
}

function outcomeOf(outgoing: OutgoingEmail): SendOutcome {
  const part = simulatedPart(outgoing.to);
  const refusal = part === null ? undefined : refusals[part];
  if (refusal !== undefined) return refusal;
  if (part === "delayed" && outgoing.attempt <= 3) {
    const diagnostic = "451 4.7.1 Greylisted, try again later (simulated)";
    return {
      provider,
      result: "deferred",
      smtp_code: 451,
      enhanced_code: "4.7.1",
      diagnostic,
      retry_after_ms: retryMs,
      bounce: { type: "transient", subtype: "general" },
    };
  }
  return {
    provider,
    result: "accepted",
    final: part !== "stuck",
    smtp_code: 250,
    enhanced_code: "2.0.0",
    diagnostic: "250 2.0.0 Ok (simulated)",
  };
}

function refused(answer: { smtp_code: number | null; enhanced_code: string | null; diagnostic: string }, subtype: string): SendOutcome {
  const type = subtype === "mailbox_full" || subtype === "expired" ? "transient" : "permanent";
  return { provider, ...answer, result: "refused", suppress: subtype === "no_email", bounce: { type, subtype } } as SendOutcome;
}

/** True for an address at the simulator's domain: it belongs to no one, so its result is always the same. */
export function isSimulated(address: string): boolean {
  return address.trim().toLowerCase().endsWith(`@${simulatorDomain}`);
}

/** The local part that determines the result, without `+label`; null for an address elsewhere. */
function simulatedPart(address: string): string | null {
  const [local, domain] = canonicalAddress(address).split("@");
  return domain === simulatorDomain && local !== undefined ? (local.split("+")[0] ?? null) : null;
}

/** True for the simulated recipient that is on everyone's suppression list. */
export function isSimulatedSuppression(address: string): boolean {
  return simulatedPart(address) === "suppressed";
}

export type FollowUp = "complained" | "late-bounce" | "opened" | "clicked";
const followUps: readonly string[] = ["complained", "late-bounce", "opened", "clicked"] satisfies FollowUp[];

/** What a simulated recipient does after delivery, and when. */
export function followUpOf(pinned: Pick<Ctx, "now">, address: string): { sequel: FollowUp; at: Date } | null {
  const part = simulatedPart(address);
  return part !== null && followUps.includes(part) ? { sequel: part as FollowUp, at: followUpAt(pinned) } : null;
}
