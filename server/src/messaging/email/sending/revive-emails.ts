import { atNow, type Ctx, updatePlanning } from "#platform/index.ts";
import { changeEmails } from "../change/change-emails.ts";
import type { RecipientRow } from "../shapes.ts";
import { type AttemptEnding, listTaken, updateAttempts } from "./attempts.sql.ts";
import { listLapsed } from "./claim.sql.ts";
import { judgeOutcome } from "./judge-outcome.ts";

const portion = 500;

/**
 * Recipients whose worker is gone are due again, with the lost attempt on record; what was noted as taken ends as such instead. Answers how many messages
 * had some.
 */
export async function reviveEmails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const timed = await atNow(ctx, tx);
    const now = timed.now();
    const lost: AttemptEnding[] = [];
    const keys = await listLapsed(tx, portion);
    if (keys.length === 0) return 0;
    const taken = new Map((await listTaken(tx, keys)).map((one) => [`${one.recipient_id} ${one.attempt}`, one]));
    await changeEmails(tx, timed, {
      keys,
      change: (bundle, changed) => {
        const lapsed = bundle.recipients.filter((row) => row.state === "leased" && row.lease_until != null && row.lease_until < now);
        for (const row of lapsed) {
          const noted = taken.get(`${row.id} ${row.attempts}`);
          if (noted === undefined) {
            lost.push(lostAttempt(row));
            changed(row, { state: "due", due_at: now });
          } else {
            const provider = noted.provider ?? "";
            changed(row, judgeOutcome(timed, bundle, { row, outcome: { ...noted, provider, result: "accepted", final: noted.final === true } }).to);
            bundle.email.provider = provider;
          }
        }
        return lapsed.length === 0 ? null : {};
      },
    });
    await updateAttempts(tx, lost);
    return keys.length;
  });
}

function lostAttempt({ project_id, livemode, email_id, id, attempts }: RecipientRow): AttemptEnding {
  const unknown = { provider: null, remote: null, smtp_code: null, enhanced_code: null, diagnostic: null, final: null };
  return { project_id, livemode, email_id, recipient_id: id, attempt: attempts, result: "worker_lost", ...unknown };
}
