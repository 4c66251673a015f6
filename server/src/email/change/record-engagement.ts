import type { Ctx, Tenant } from "#platform/index.ts";
import { changeEmails } from "./change-emails.ts";

/** One open or click of one copy, as it was received. */
export interface Engagement {
  tenant: Tenant;
  email_id: string;
  recipient_id: string;
  ip: string | null;
  user_agent: string | null;
  /** A scanner, or a mail client's prefetching: reported, but never counted. */
  is_machine: boolean;
}

/** Once a message has this many events for each recipient, opens and clicks add no more: links can be requested forever. */
const eventsPerRecipient = 200;

/** Reports an open, unless the message has very many events, and counts it if a person did it. Changes no status. */
export async function recordOpen(ctx: Ctx, given: Engagement): Promise<void> {
  await record(ctx, given, "opened");
}

/** Reports a click, unless the message has very many events, and counts it if a person did it. Changes no status. */
export async function recordClick(ctx: Ctx, given: Engagement & { url: string }): Promise<void> {
  await record(ctx, given, "clicked");
}

async function record(ctx: Ctx, given: Engagement & { url?: string }, event: "opened" | "clicked"): Promise<void> {
  const { tenant, email_id, recipient_id, ip, user_agent, is_machine, url } = given;
  await ctx.transact((tx) =>
    changeEmails(tx, ctx, {
      keys: [{ project_id: tenant.project_id, livemode: tenant.livemode, id: email_id }],
      change: ({ email, recipients }) => {
        const recipient = recipients.find((row) => row.id === recipient_id);
        if (recipient === undefined) return null;
        if (!is_machine && event === "opened") email.opens += 1;
        if (!is_machine && event === "clicked") email.clicks += 1;
        if (email.sequence >= eventsPerRecipient * recipients.length) return is_machine ? null : {};
        const seen = { ip, user_agent: user_agent?.slice(0, 400) ?? null, is_machine };
        const detail = event === "opened" ? { open: seen } : { click: { url: url ?? "", ...seen } };
        return { event: { event, recipient, ...detail } };
      },
    }),
  );
}
