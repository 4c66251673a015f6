import { type ChannelTask, foldSuppressions } from "#messaging/index.ts";
import { clearBodies } from "../change/clear-bodies.ts";
import { expireUnclaimed } from "../change/expire-unclaimed.ts";
import { releaseScheduled } from "../change/release-scheduled.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { keepPlatformDomain } from "../domain/keep-platform-domain.ts";
import { recheckDomains } from "../domain/verify-domain.ts";
import { sweepMailFiles } from "../files/sweep-mail-files.ts";
import { createEmailSender } from "../sending/create-email-sender.ts";
import { reviveEmails } from "../sending/revive-emails.ts";
import { playEmailFollowUps } from "../simulator/play-follow-ups.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { EmailTransport } from "../transport.ts";

/** Email's periodic tasks. Without a transport LIVE email stays queued. */
export function emailTasks(live: EmailTransport | undefined): ChannelTask[] {
  const sender = createEmailSender({ transports: { live, test: createSimulator() } });
  return [
    { name: "send_emails", everyMs: 200, run: sender.run, listen: sender.listen, finish: sender.finish },
    { name: "release_emails", everyMs: 500, run: releaseScheduled },
    { name: "revive_emails", everyMs: 4_000, run: reviveEmails },
    { name: "play_simulated_recipients", everyMs: 500, run: playEmailFollowUps },
    { name: "expire_unclaimed_emails", everyMs: 60_000, run: expireUnclaimed },
    { name: "forget_email_bodies", everyMs: 60_000, run: clearBodies },
    { name: "sweep_mail_files", everyMs: 60_000, run: sweepMailFiles },
    { name: "keep_platform_domain", everyMs: 3_600_000, run: (ctx) => keepPlatformDomain(ctx).then(() => 0) },
    { name: "recheck_domains", everyMs: 15_000, run: (ctx) => recheckDomains(ctx) },
    { name: "fold_suppressions", everyMs: 86_400_000, run: (ctx) => foldSuppressions(ctx, emailChannel).then(() => 0) },
  ];
}
