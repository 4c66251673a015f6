import { atNow, beginPass, type Ctx, goesAlone, lockExpired, notifySetAside, sweepQueue, type Tx, writeEach } from "#platform/index.ts";
import { changeEmails, type Extra } from "../change/change-emails.ts";
import { emailQueue } from "../channel/tables.sql.ts";
import { type EmailKey, lockEmails, type RecipientChange } from "../rows.sql.ts";
import type { EmailBundle, RecipientRow } from "../shapes.ts";
import { type AttemptEnding, listTaken, updateAttempts } from "./attempts.sql.ts";
import { jobOf, listExpired } from "./claim.sql.ts";
import { classifyOutcome, delayEvent } from "./classify-outcome.ts";

const portion = 2_000;
const maxAtOnce = 10_000;
const onHold = "Sending this message was interrupted several times. It's on hold until an operator releases it.";

/** What to do with a recipient whose worker was lost. */
interface Verdict {
  deaths: number;
  isSetAside: boolean;
  wait_ms: number;
}

/**
 * Makes recipients of lost workers due again, with the lost attempt recorded, or sets them aside if workers keep dying of them. Attempts
 * recorded as accepted end as such. Returns how many recipients there were.
 */
export function reviveEmails(ctx: Ctx): Promise<number> {
  return sweepQueue(ctx, emailQueue.name, async (tx, classify) => {
    const pass = beginPass(ctx, { task: "revive_emails", kind: "email" });
    const keys = await listExpired(tx, { limit: portion, without: pass.waiting });
    if (keys.length === 0) {
      pass.end();
      return 0;
    }
    // A change of a recipient locks its message first.
    await lockEmails(tx, keys);
    const ids = keys.map(({ id }) => id);
    const expired = await lockExpired<{ id: string }>(tx, emailQueue, {
      limit: maxAtOnce,
      among: (tag) => tag`and q.email_id = any(${ids}::text[])`,
      columns: (tag) => tag`, q.id`,
    });
    const classified = await classify(expired);
    const verdicts = new Map(classified.map((one) => [one.id, one]));
    const jobs = await writeEach(tx, pass, {
      rows: keys,
      nameOf: ({ id }) => id,
      ownerOf: ({ project_id }) => project_id,
      write: (inner, some) => releaseExpired(inner, ctx, { keys: some, verdicts }),
    });
    await notifySetAside(tx, ctx, { queue: emailQueue.name, jobs: jobs.flat() });
    if (keys.length < portion) pass.end();
    return classified.length;
  });
}

/** Takes recipients out of their expired leases; returns the names of those that are set aside. */
async function releaseExpired(
  tx: Tx,
  ctx: Ctx,
  { keys, verdicts }: { keys: EmailKey[]; verdicts: Map<string, Verdict> },
): Promise<string[]> {
  if (verdicts.size === 0) return [];
  const pinned = await atNow(ctx, tx);
  const taken = new Map((await listTaken(tx, keys)).map((one) => [`${one.recipient_id} ${one.attempt}`, one]));
  const [lost, aside]: [AttemptEnding[], RecipientRow[]] = [[], []];
  await changeEmails(tx, pinned, {
    keys,
    change(bundle, changed) {
      const open: RecipientRow[] = [];
      const expired = bundle.recipients.filter(({ id }) => verdicts.has(id));
      for (const row of expired) {
        const noted = taken.get(`${row.id} ${row.attempts}`);
        if (noted === undefined) open.push(row);
        else endTaken(pinned, { bundle, row, noted, changed });
      }
      lost.push(...open.map(lostAttempt));
      const accused = accusedOf(bundle, open, verdicts);
      for (const row of open) {
        const { deaths, wait_ms } = verdicts.get(row.id) as Verdict;
        if (accused.has(row)) row.deaths = deaths;
        else changed(row, { state: "due", deaths, due_at: new Date(pinned.now().getTime() + wait_ms) });
      }
      aside.push(...accused);
      return expired.length === 0 ? null : setAside(bundle, [...accused], changed);
    },
  });
  await updateAttempts(tx, lost);
  return aside.map(jobOf);
}

type Changed = (row: RecipientRow, to: Partial<RecipientChange>) => void;

/** Ends a recipient that a server accepted before its worker was lost. */
function endTaken(
  pinned: Ctx,
  { bundle, row, noted, changed }: { bundle: EmailBundle; row: RecipientRow; noted: AttemptEnding; changed: Changed },
): void {
  const provider = noted.provider ?? "";
  const outcome = { ...noted, provider, result: "accepted" as const, final: noted.final === true };
  changed(row, { ...classifyOutcome(pinned, bundle, { row, outcome }).to, deaths: 0 });
  bundle.email.provider = provider;
}

/**
 * If one recipient is set aside, so are the others of its message that are sent alone: their text is the same, and each would kill more
 * workers.
 */
function accusedOf({ recipients }: EmailBundle, open: RecipientRow[], verdicts: Map<string, Verdict>): Set<RecipientRow> {
  if (!open.some(({ id }) => verdicts.get(id)?.isSetAside)) return new Set();
  const waiting = recipients.filter(({ state, deaths }) => state === "due" && goesAlone(deaths ?? 0));
  return new Set([...waiting, ...open.filter(({ id }) => goesAlone(verdicts.get(id)?.deaths ?? 0))]);
}

/**
 * The merchant sees a message that is set aside as delayed: it can be canceled, it can expire, and it is unknown whether a server has it.
 */
function setAside({ email }: EmailBundle, rows: RecipientRow[], changed: Changed): Extra {
  let extra: Extra = {};
  for (const row of rows) {
    changed(row, {
      state: "set_aside",
      status: "delivery_delayed",
      bounce: null,
      smtp_code: null,
      enhanced_code: null,
      diagnostic: onHold,
    });
    extra = { ...extra, ...delayEvent(email, row, null) };
  }
  return extra;
}

function lostAttempt({ project_id, livemode, email_id, id, attempts }: RecipientRow): AttemptEnding {
  const unknown = { provider: null, remote: null, smtp_code: null, enhanced_code: null, diagnostic: null, final: null };
  return { project_id, livemode, email_id, recipient_id: id, attempt: attempts, result: "worker_lost", ...unknown };
}
