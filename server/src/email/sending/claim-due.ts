import { listSuspendedProjects } from "#identity/index.ts";
import { type Claimed, type Claiming, chooseNext, claimName, findBarred, type Rounds } from "#messaging/index.ts";
import { type Ctx, pipeline, type Tx } from "#platform/index.ts";
import { endExpired } from "../change/end-expired.ts";
import { endSuppressed } from "../change/end-suppressed.ts";
import { emailChannel } from "../channel/email-channel.ts";
import type { EmailKey } from "../rows.sql.ts";
import type { EmailRow, SendBody } from "../shapes.ts";
import { readBody } from "../stored-body.ts";
import {
  type Candidate,
  type ClaimedRecipient,
  jobOf,
  listCandidates,
  listSuspects,
  lockFreeEmails,
  updateClaimed,
  updateSending,
} from "./claim.sql.ts";

/** A recipient that this worker may send to now. */
export interface ClaimedEmail extends Claimed {
  email: EmailRow;
  recipient: ClaimedRecipient;
  /** null if it is too large to wait in memory, or can't be read; it is read when its turn comes. */
  body: SendBody | null;
}

export const leaseMs = 45_000;
const bodyBytesMax = 32 * 1024;

/** Claims what is due, partition by partition in turns. LIVE email of suspended projects stays queued. */
export function claimDue(tx: Tx, ctx: Ctx, { rounds, claiming }: { rounds: Rounds; claiming: Claiming }): Promise<ClaimedEmail[]> {
  const { livemode, room, partitionMax } = claiming;
  const find = (barred: string[]) =>
    chooseNext({ rounds, room, partitionMax, barred, list: (scan) => listCandidates(tx, { livemode, ...scan }) });
  return claimOf(tx, ctx, { claiming, find });
}

/** Claims one recipient of those that are sent alone, if there is one and room for it. */
export function claimAlone(tx: Tx, ctx: Ctx, claiming: Claiming): Promise<ClaimedEmail[]> {
  return claimOf(tx, ctx, { claiming, find: (full) => listSuspects(tx, { livemode: claiming.livemode, full }) });
}

interface Finding {
  claiming: Claiming;
  /** Finds what may be claimed, skipping the given projects. */
  find(suspended: string[]): Promise<Candidate[]>;
}

async function claimOf(tx: Tx, ctx: Ctx, { claiming, find }: Finding): Promise<ClaimedEmail[]> {
  if (claiming.room <= 0) return [];
  // On this process's own clock: it is only compared with that, and was read before the database started counting.
  const leaseUntil = new Date(ctx.now().getTime() + claiming.leaseMs);
  const suspended = claiming.livemode ? await listSuspendedProjects(tx, null) : [];
  const candidates = await find(suspended);
  if (candidates.length === 0) return [];
  const emails = new Map((await lockFreeEmails(tx, keysOf(candidates))).map((email) => [nameOf(email), email]));
  const free = candidates.filter((one) => emails.has(nameOf({ ...one, id: one.email_id })));
  const [over, open] = [free.filter((one) => one.expired), free.filter((one) => !one.expired)];
  const barred = new Set(await findBarred(tx, emailChannel, open));
  const held = open.filter((one) => !barred.has(one));
  await endExpired(tx, ctx, keysOf(over));
  await endSuppressed(tx, ctx, [...barred]);
  if (held.length === 0) return [];
  const [rows] = await pipeline(tx, (pipe) => [
    updateClaimed(pipe, { candidates: held, lease: claiming.lease, durationMs: claiming.leaseMs, bodyBytesMax }),
    updateSending(pipe, keysOf(held)),
  ]);
  const places = new Map(held.map((one, place) => [`${one.email_id} ${one.position}`, place]));
  const placeOf = (row: { email_id: string; position: number }) => places.get(`${row.email_id} ${row.position}`) ?? 0;
  rows.sort((left, right) => placeOf(left) - placeOf(right));
  return rows.map((recipient) => {
    const email = emails.get(nameOf({ ...recipient, id: recipient.email_id })) as EmailRow;
    const { project_id, livemode, lease, domain } = recipient;
    const body = recipient.body === null ? null : readNow(ctx, recipient.email_id, recipient.body);
    const name = claimName({ job: jobOf(recipient), lease });
    return { project_id, livemode, receiver: domain, name, lease, bytes: email.size_bytes, leaseUntil, email, recipient, body };
  });
}

/** A text that can't be read must not keep others from being claimed; it fails when its turn comes. */
function readNow({ masterKeys }: Pick<Ctx, "masterKeys">, emailId: string, stored: string): SendBody | null {
  try {
    return readBody(masterKeys, emailId, stored);
  } catch {
    return null;
  }
}

function keysOf(candidates: Candidate[]): EmailKey[] {
  const keys = candidates.map(({ project_id, livemode, email_id }) => ({ project_id, livemode, id: email_id }));
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()];
}

function nameOf({ project_id, livemode, id }: EmailKey): string {
  return `${project_id} ${livemode} ${id}`;
}
