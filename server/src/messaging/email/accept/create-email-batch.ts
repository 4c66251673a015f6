import type { Ctx, Tenant } from "#platform/index.ts";
import { messagingErrors } from "../../errors.ts";
import { keepFiles } from "../files/keep-files.ts";
import type { EmailInput, MessagingTier } from "../shapes.ts";
import { acceptEmails } from "./accept-emails.ts";
import { type CheckedEmail, checkEmail, faultyEmail } from "./check-email.ts";
import { checkSoundFields } from "./check-sound-fields.ts";
import { type NewMessage, newMessage } from "./new-message.ts";
import { shareTurns } from "./share-turns.ts";
import type { BatchFault, BatchRow } from "./sql.ts";

export interface BatchInput {
  tier: MessagingTier;
  /** Each item may leave out what `defaults` has. */
  items: Partial<EmailInput>[];
  defaults?: Partial<EmailInput>;
  /** One bad item refuses all; else bad ones are left out. */
  strict: boolean;
  /** What the surface found wrong with the shape of some items already. */
  faults?: BatchFault[];
}

export interface CreatedBatch {
  id: string;
  total: number;
  accepted: number;
  data: { index: number; id: string; status: string }[];
  errors: BatchFault[];
  created_at: Date;
}

const itemsMax = 100;
const neededByAll = ["from", "to", "subject"] as const;

/**
 * Accepts 1 to 100 messages in one transaction. Strict: any fault refuses all with `details`, each with its `index`. Permissive: faulty items are
 * answered under `errors`, unless there is nothing else. Throws batch_too_large, quota_exceeded.
 */
export async function createEmailBatch(ctx: Ctx, tenant: Tenant, input: BatchInput): Promise<CreatedBatch> {
  if (input.items.length === 0 || input.items.length > itemsMax) throw messagingErrors.batch_too_large();
  const batch_id = ctx.id("bat");
  const { good, errors } = await checkItems(ctx, tenant, input);
  if (errors.length > 0 && (input.strict || good.length === 0)) throw refusal(errors);
  const messages: NewMessage[] = [];
  const share = shareTurns();
  for (const { email, checked } of good) {
    messages.push(newMessage(ctx, tenant, { tier: input.tier, input: email, checked, batch_id }));
    await share(email);
  }
  const items = good.map(({ index }, place) => ({ index, id: (messages[place] as NewMessage).email.id }));
  const { project_id, livemode } = tenant;
  const counts = { total: input.items.length, accepted: messages.length };
  const batch: BatchRow = { project_id, livemode, id: batch_id, channel: "email", ...counts, items, errors, created_at: ctx.now() };
  const answer = (): CreatedBatch => {
    const data = items.map((item, place) => ({ ...item, status: (messages[place] as NewMessage).email.status }));
    return { id: batch_id, ...counts, data, errors, created_at: batch.created_at };
  };
  return keepFiles(ctx, messages, () => acceptEmails({ ctx, tenant, messages, batch, answer }));
}

interface Good {
  index: number;
  email: EmailInput;
  checked: CheckedEmail;
}

async function checkItems(ctx: Ctx, tenant: Tenant, { tier, items, defaults, faults = [] }: BatchInput): Promise<{ good: Good[]; errors: BatchFault[] }> {
  const good: Good[] = [];
  const errors: BatchFault[] = [];
  const share = shareTurns();
  for (const [index, item] of items.entries()) {
    const email = { ...defaults, ...item };
    await share(email);
    const misshapen = faults.filter((fault) => fault.index === index);
    if (misshapen.length > 0) {
      const found = await checkSoundFields(ctx, tenant, { tier, email, faults: misshapen });
      errors.push(...misshapen, ...found.map((fault) => ({ index, ...fault })));
      continue;
    }
    const missing = neededByAll.filter((name) => email[name] === undefined);
    if (missing.length > 0) {
      errors.push(...missing.map((param) => ({ index, param, code: "parameter_missing", reason: "required", message: `${param} is required.` })));
      continue;
    }
    const { checked, faults: found } = await checkEmail(ctx, tenant, { tier, email: email as EmailInput });
    if (found.length === 0) good.push({ index, email: email as EmailInput, checked });
    errors.push(...found.map((fault) => ({ index, ...fault })));
  }
  return { good, errors };
}

function refusal(errors: BatchFault[]): Error {
  const [first] = errors as [BatchFault];
  return faultyEmail(errors, `Item ${first.index}: ${first.message}`);
}
