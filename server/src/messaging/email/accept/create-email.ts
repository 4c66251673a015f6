import { recordOfPerson } from "#audit/index.ts";
import {
  atNow,
  type Claim,
  type ClaimOutcome,
  type Ctx,
  claimMany,
  createCollector,
  databaseCode,
  findNow,
  isUnavailable,
  perDatabase,
  pipeline,
  platformErrors,
  type Tenant,
  type Tx,
} from "#platform/index.ts";
import { keepFiles } from "../files/keep-files.ts";
import type { EmailBundle, EmailInput, MessagingTier } from "../shapes.ts";
import { checkEmail, faultyEmail } from "./check-email.ts";
import { type NewMessage, newMessage } from "./new-message.ts";
import { boundLockWait } from "./sql.ts";
import { timeMessages } from "./time-messages.ts";
import { applySuppressions, writeMessages } from "./write-messages.ts";

interface Member {
  /** Of the request that asks for it: a batch holds those of many callers. */
  ctx: Ctx;
  message: NewMessage;
  claim: Claim | null;
}

/** Larger ones take a transaction of their own: sixty-four of them in one would hold all their bytes at once. */
const groupedBytesMax = 64 * 1024;
const batchWaitMs = 50;
const aloneWaitMs = 2000;
const intakeOf = perDatabase(() =>
  createCollector<Member, EmailBundle>({
    max: 64,
    lanes: 2,
    supply: { usual: 2048, kept: 2048 },
    waitMs: 5_000,
    tenantOf: ({ message }) => message.email.project_id,
    namesOf: ({ message: { email }, claim }) => (claim === null ? [] : [`k ${email.project_id} ${email.livemode} ${claim.path} ${claim.key}`]),
    sortKey: ({ message: { email }, claim }) => `${email.project_id} ${email.livemode} ${claim?.key ?? ""} ${email.id}`,
    isShared: isUnavailable,
    run: (members) => (members[0] as Member).ctx.transactUnclaimed((tx) => writeMembers(tx, (members[0] as Member).ctx, members)),
  }),
);

interface NewEmail {
  tier: MessagingTier;
  email: EmailInput;
  /** Its texts hold what opens something: they are sealed, and dropped once it has left. */
  secret?: boolean;
}

/**
 * Accepts one message: it is queued, or scheduled, or suppressed when nobody of it may be written to. Concurrent calls share one transaction; each is
 * answered after its commit. Throws all faults of the request at once, domain_not_verified, quota_exceeded.
 */
export async function createEmail(ctx: Ctx, tenant: Tenant, input: NewEmail): Promise<EmailBundle> {
  const { checked, faults } = await checkEmail(ctx, tenant, input);
  if (faults.length > 0) throw faultyEmail(faults);
  const message = newMessage(ctx, tenant, { tier: input.tier, input: input.email, checked, batch_id: null, secret: input.secret });
  return keepFiles(ctx, [message], () => accept(ctx, message));
}

async function accept(ctx: Ctx, message: NewMessage): Promise<EmailBundle> {
  try {
    if (message.email.size_bytes <= groupedBytesMax) return await intakeOf(ctx.db).add({ ctx, message, claim: ctx.claim });
    return await ctx.transact(async (tx) => {
      const timed = await atNow(ctx, tx);
      timeMessages([message], timed.now());
      await pipeline(tx, (pipe) => [applySuppressions(pipe, [message])]);
      await writeMessages(tx, timed, [message]);
      await auditEmail(tx, { ctx: timed, message });
      return bundle(message);
    });
  } catch (error) {
    if (databaseCode(error) !== "55P03") throw error;
    // Not the key, which says so itself: a day's counter, or another row that a transaction holds for too long.
    throw platformErrors.service_unavailable({ headers: { "retry-after": "1" }, cause: error });
  }
}

/** Keys first, then all messages whose key was new. What a quota refuses takes the batch apart: alone, each learns its own answer. */
async function writeMembers(tx: Tx, ctx: Ctx, members: Member[]): Promise<(EmailBundle | Error)[]> {
  const messages = members.map((member) => member.message);
  const [, , now] = await pipeline(tx, (pipe) => [
    boundLockWait(pipe, members.length > 1 ? batchWaitMs : aloneWaitMs),
    applySuppressions(pipe, messages),
    findNow(pipe),
  ]);
  const timed = { ...ctx, now: () => new Date(now) };
  timeMessages(messages, now);
  const claimed = members.filter((member): member is Member & { claim: Claim } => member.claim !== null);
  const results = claimed.map(({ claim, message }) => ({ claim, result: JSON.stringify(bundle(message)) }));
  const outcomes = await claimMany(tx, results);
  const outcomeOf = new Map<Member, ClaimOutcome | undefined>(claimed.map((member, index) => [member, outcomes[index]]));
  const going = members.filter((member) => (outcomeOf.get(member)?.state ?? "new") === "new");
  await writeMessages(
    tx,
    timed,
    going.map((member) => member.message),
  );
  for (const member of going) await auditEmail(tx, member);
  return members.map((member) => {
    const outcome = outcomeOf.get(member);
    if (outcome?.state === "refused") return outcome.error;
    return outcome?.state === "replay" ? replayed(member, outcome.result) : bundle(member.message);
  });
}

function auditEmail(tx: Tx, { ctx, message: { email } }: Pick<Member, "ctx" | "message">): Promise<void> {
  return recordOfPerson(tx, { ctx, tenant: email, action: "email.created", object_type: "email", object_id: email.id, detail: { status: email.status } });
}

function bundle({ email, recipients }: NewMessage): EmailBundle {
  return { email, recipients };
}

function replayed(member: Member, result: unknown): EmailBundle {
  if (member.claim !== null) member.claim.replayed = true;
  return result as EmailBundle;
}
