import type { RecipientChange } from "../rows.sql.ts";
import type { Bounce, RecipientRow } from "../shapes.ts";
import type { BounceKind } from "../transport.ts";
import type { Extra } from "./change-emails.ts";

/** A recipient's new state, and events in addition to the change of the message's status. */
export interface CopyEnding {
  to: Partial<RecipientChange>;
  extra: Extra;
}

/** What the other server responded. */
export type Answer = Pick<RecipientRow, "smtp_code" | "enhanced_code" | "diagnostic">;

/** The result of a recipient that expired: a full mailbox counts as bounced, everything else as not delivered in time. */
export function timedOut(row: RecipientRow): CopyEnding {
  const kind: BounceKind = row.bounce?.subtype === "mailbox_full" ? row.bounce : { type: "transient", subtype: "expired" };
  return ended(row, { answer: row, bounce: kind });
}

const ours: ReadonlySet<BounceKind["subtype"]> = new Set(["policy", "expired", "content_too_complex"]);

/** The ending of a recipient. `failed`: it was never sent, or not delivered in time. `bounced`: it was refused. */
export function ended(row: RecipientRow, { answer, bounce }: { answer: Answer; bounce: BounceKind }): CopyEnding {
  const { smtp_code, enhanced_code, diagnostic } = answer;
  const status = ours.has(bounce.subtype) ? "failed" : "bounced";
  const updated = { ...row, smtp_code, enhanced_code, diagnostic };
  return {
    to: { smtp_code, enhanced_code, diagnostic, bounce, status, state: "done" },
    extra: { with: { recipient: updated, bounce: bounceOf(updated, bounce) } },
  };
}

/** A bounce as events show it. */
export function bounceOf(answer: Answer, { type, subtype }: BounceKind): Bounce {
  return { type, subtype, smtp_code: answer.smtp_code, enhanced_code: answer.enhanced_code, diagnostic: answer.diagnostic };
}
