import { createSender, type Sender } from "#messaging/index.ts";
import { emailQueue } from "../channel/tables.sql.ts";
import type { Compose } from "../compose/compose-apart.ts";
import type { EmailTransport, SendOutcome } from "../transport.ts";
import { type ClaimedEmail, claimAlone, claimDue, leaseMs as usualLeaseMs } from "./claim-due.ts";
import { type Ended, endSends } from "./end-sends.ts";
import { recordAccepted, warmUpRecording } from "./record-accepted.ts";
import { createSend } from "./send-email.ts";

export interface SenderOptions {
  /** Without one for LIVE, LIVE email stays queued. */
  transports: { live?: EmailTransport | undefined; test: EmailTransport };
  leaseMs?: number;
  /** How long `finish` waits for sends in progress. */
  drainMs?: number;
  /** How long after its start a process takes its first recipient that is sent alone. */
  aloneAfterMs?: number;
  /** How messages are composed; in threads of this process unless a test sets it. */
  compose?: Compose;
}

/** One process's sender of email. A LIVE message's acceptance is saved immediately, so that a crash causes few duplicates. */
export function createEmailSender({ transports: { live, test }, leaseMs = usualLeaseMs, compose, ...times }: SenderOptions): Sender {
  const routeOf = (livemode: boolean, transport: EmailTransport) => ({
    livemode,
    capacity: transport,
    send: createSend(transport, compose),
  });
  return createSender<ClaimedEmail, SendOutcome>(
    {
      queue: emailQueue,
      hint: "emails",
      routes: [...(live === undefined ? [] : [routeOf(true, live)]), routeOf(false, test)],
      leaseMs,
      claim: claimDue,
      claimAlone,
      record: (tx, ctx, ended) =>
        endSends(
          tx,
          ctx,
          ended.map(({ job, outcome }) => endedOf(job, outcome)),
        ),
      prepare: warmUpRecording,
      async save(ctx, job, outcome) {
        if (job.livemode && outcome.result === "accepted") await recordAccepted(ctx, endedOf(job, outcome));
      },
    },
    times,
  );
}

function endedOf({ email, recipient }: ClaimedEmail, outcome: SendOutcome | null): Ended {
  const { project_id, livemode, id } = email;
  return { key: { project_id, livemode, id }, recipient, lease: recipient.lease, outcome };
}
