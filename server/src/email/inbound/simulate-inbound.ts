import { type Ctx, canonicalAddress, platformErrors, type Tenant } from "#platform/index.ts";
import { changeEmails } from "../change/change-emails.ts";
import { recordBounce, recordComplaint } from "../change/record-reports.ts";
import { emailErrors } from "../errors.ts";
import { findEmailRow, listRecipients } from "../rows.sql.ts";
import type { EmailRow, RecipientRow } from "../shapes.ts";
import { unsubscribeAddress } from "../unsubscribe/unsubscribe.ts";

export interface InboundInput {
  /** What the recipient of a message does. */
  type: "reply" | "complaint" | "bounce" | "unsubscribe";
  email_id: string;
  /** Which of several recipients; the first if absent. */
  recipient?: string | null;
  /** Text of the reply. */
  text?: string | null;
}

export interface SimulatedInbound extends Tenant {
  type: InboundInput["type"];
  email_id: string;
  recipient: string;
}

interface Copy {
  tenant: Tenant;
  email: EmailRow;
  row: RecipientRow;
}

/**
 * Simulates a recipient's action on a TEST message, with the same code as a real report. Throws environment_mismatch in LIVE,
 * resource_missing, parameter_invalid for a recipient that the message doesn't have, and email_state_conflict if it hasn't arrived.
 */
export async function simulateInbound(ctx: Ctx, tenant: Tenant, input: InboundInput): Promise<SimulatedInbound> {
  if (tenant.livemode) throw platformErrors.environment_mismatch();
  const copy = await findCopy(ctx, tenant, input);
  await play(ctx, input, copy);
  return { ...tenant, type: input.type, email_id: copy.email.id, recipient: copy.row.address };
}

async function findCopy(ctx: Ctx, tenant: Tenant, input: InboundInput): Promise<Copy> {
  const email = await findEmailRow(ctx.db, tenant, input.email_id);
  if (email === null) throw platformErrors.resource_missing({ param: "email_id" });
  const recipients = await listRecipients(ctx.db, tenant, [email.id]);
  const wanted = input.recipient == null ? undefined : canonicalAddress(input.recipient);
  const row = wanted === undefined ? recipients[0] : recipients.find(({ address }) => canonicalAddress(address) === wanted);
  if (row === undefined)
    throw platformErrors.parameter_invalid({
      param: "recipient",
      reason: "not_a_recipient",
      message: "The message wasn't sent to this address.",
    });
  if (row.status !== "sent" && row.status !== "delivered") {
    throw emailErrors.email_state_conflict({
      param: "email_id",
      message: `The message hasn't been delivered: its status for this recipient is ${row.status}.`,
    });
  }
  return { tenant, email, row };
}

async function play(ctx: Ctx, input: InboundInput, { tenant, email, row }: Copy): Promise<void> {
  switch (input.type) {
    case "complaint":
      await recordComplaint(ctx, { recipient_id: row.id });
      return;
    case "bounce": {
      const answer = { smtp_code: 550, enhanced_code: "5.1.1", diagnostic: "550 5.1.1 The mailbox does not exist (simulated)" };
      await recordBounce(ctx, {
        recipient_id: row.id,
        kind: "failed",
        bounce: { type: "permanent", subtype: "no_email" },
        suppress: true,
        ...answer,
      });
      return;
    }
    case "unsubscribe":
      await ctx.transact((tx) => unsubscribeAddress(tx, ctx, { tenant, email_id: email.id, address: row.address }));
      return;
    case "reply": {
      const inbound = {
        from: row.address,
        to: email.from_address,
        subject: `Re: ${email.subject}`,
        text: input.text ?? "",
        in_reply_to: email.message_id,
      };
      await ctx.transact((tx) =>
        changeEmails(tx, ctx, {
          keys: [{ ...tenant, id: email.id }],
          change: () => ({ event: { event: "received", recipient: row, inbound } }),
        }),
      );
    }
  }
}
