import { type BatchFault, type Checked, type CreatedBatch, createBatch, type SendingTier } from "#messaging/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { keepFiles } from "../files/keep-files.ts";
import type { EmailInput } from "../shapes.ts";
import { acceptEmails } from "./accept-emails.ts";
import { type CheckedEmail, checkEmail, faultyEmail } from "./check-email.ts";
import { checkSoundFields } from "./check-sound-fields.ts";
import { newMessage } from "./new-message.ts";
import { createYielder } from "./yield-between-messages.ts";

export interface BatchInput {
  tier: SendingTier;
  /** Each item may leave out the fields that `defaults` has. */
  items: Partial<EmailInput>[];
  defaults?: Partial<EmailInput>;
  /** True: one invalid item refuses the whole batch. False: invalid items are left out. */
  strict: boolean;
  /** Shape faults of some items that the API surface already found. */
  faults?: BatchFault[];
}

const neededByAll = ["from", "to", "subject"] as const;

/** Accepts a batch of messages, as `createBatch` does. Throws batch_too_large, quota_exceeded. */
export function createEmailBatch(ctx: Ctx, tenant: Tenant, input: BatchInput): Promise<CreatedBatch> {
  const { tier, strict, defaults } = input;
  const [checking, making] = [createYielder(), createYielder()];
  return createBatch(ctx, tenant, {
    channel: emailChannel,
    items: input.items.map((item) => ({ ...defaults, ...item })),
    strict,
    async check(email, index) {
      await checking(email);
      return checkItem(ctx, tenant, { tier, email, misshapen: input.faults?.filter((fault) => fault.index === index) ?? [] });
    },
    refuse: faultyEmail,
    async make({ email, checked }, batch_id) {
      const message = newMessage(ctx, tenant, { tier, input: email, checked, batch_id });
      await making(email);
      return message;
    },
    idOf: ({ email }) => email.id,
    statusOf: ({ email }) => email.status,
    write: (messages, batch, answer) => keepFiles(ctx, messages, () => acceptEmails({ ctx, tenant, messages, batch, answer })),
  });
}

interface Item {
  tier: SendingTier;
  email: Partial<EmailInput>;
  /** What is wrong with the request's shape. */
  misshapen: BatchFault[];
}

async function checkItem(
  ctx: Ctx,
  tenant: Tenant,
  { tier, email, misshapen }: Item,
): Promise<Checked<{ email: EmailInput; checked: CheckedEmail }>> {
  if (misshapen.length > 0) return { faults: [...misshapen, ...(await checkSoundFields(ctx, tenant, { tier, email, faults: misshapen }))] };
  const missing = neededByAll.filter((name) => email[name] === undefined);
  if (missing.length > 0)
    return { faults: missing.map((param) => ({ param, code: "parameter_missing", reason: "required", message: `${param} is required.` })) };
  const whole = email as EmailInput;
  const { checked, faults } = await checkEmail(ctx, tenant, { tier, email: whole });
  return faults.length > 0 ? { faults } : { good: { email: whole, checked } };
}
