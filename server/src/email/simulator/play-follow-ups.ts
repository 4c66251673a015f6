import { playFollowUps } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { recordClick, recordOpen } from "../change/record-engagement.ts";
import { recordBounce, recordComplaint } from "../change/record-reports.ts";
import { updateFollowUps } from "../change/sql.ts";

/** Runs due actions of simulated recipients of TEST email after delivery; returns how many. */
export function playEmailFollowUps(ctx: Ctx): Promise<number> {
  return playFollowUps(ctx, { take: updateFollowUps, play: (due) => play(ctx, due) });
}

async function play(ctx: Ctx, due: Awaited<ReturnType<typeof updateFollowUps>>[number]): Promise<void> {
  const { project_id, livemode, id, recipient_id, sequel } = due;
  const seen = {
    tenant: { project_id, livemode },
    email_id: id,
    recipient_id,
    ip: "192.0.2.1",
    user_agent: "Tillpost simulator",
    is_machine: false,
  };
  if (sequel === "complained") await recordComplaint(ctx, { recipient_id });
  else if (sequel === "opened") await recordOpen(ctx, seen);
  else if (sequel === "clicked") await recordClick(ctx, { ...seen, url: "https://example.com/" });
  else await recordBounce(ctx, { recipient_id, kind: "failed", ...lateBounce });
}

const lateBounce = {
  bounce: { type: "permanent", subtype: "no_email" },
  suppress: true,
  smtp_code: 550,
  enhanced_code: "5.1.1",
  diagnostic: "550 5.1.1 The mailbox does not exist (simulated, reported later)",
} as const;
