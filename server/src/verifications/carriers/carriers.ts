import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { codeOf, keyNumberOf } from "../derive-code.ts";
import { type CodeChannel, codeChannels, type VerificationRow } from "../shapes.ts";
import { callCarrier } from "./call-carrier.ts";
import type { Carrier, ReadyMessage } from "./carrier.ts";
import { emailCarrier } from "./email-carrier.ts";
import { smsCarrier } from "./sms-carrier.ts";

export const carriers: Readonly<Record<CodeChannel, Carrier>> = { sms: smsCarrier, call: callCarrier, email: emailCarrier };

const brandMax = 40;
/** The minimum of every channel. */
const secondsMin = 60;

type Sendable = Pick<
  VerificationRow,
  "project_id" | "livemode" | "id" | "recipient" | "sender" | "locale" | "template" | "origin" | "code_length" | "key_number" | "tier"
>;

/** Builds the message of a verification's code and has its channel check it. Throws the channel's refusal. */
export async function prepareCode(
  ctx: Ctx,
  row: Sendable,
  { channel, seconds }: { channel: CodeChannel; seconds: number },
): Promise<ReadyMessage> {
  const tenant: Tenant = { project_id: row.project_id, livemode: row.livemode };
  const { template, locale, origin, tier } = row;
  return carriers[channel].prepare(ctx, tenant, {
    ...{ verification_id: row.id, tier, to: row.recipient, from: row.sender, template, locale, origin },
    brand: await brandOf(ctx, tenant),
    code: codeOf(ctx.masterKeys, { ...row, key_number: keyNumberOf(ctx.masterKeys, row) }),
    minutes: Math.max(1, Math.floor(seconds / 60)),
    seconds: Math.max(secondsMin, seconds),
  });
}

/** Withdraws every message of some verifications that wasn't sent yet. */
export async function withdrawCodes(tx: Tx, pinned: Ctx, rows: readonly VerificationRow[]): Promise<void> {
  const sent = rows.flatMap(({ project_id, livemode, sends }) =>
    sends.map(({ channel, message_id: id }) => ({ channel, key: { project_id, livemode, id } })),
  );
  for (const channel of codeChannels) {
    const keys = sent.filter((one) => one.channel === channel).map(({ key }) => key);
    if (keys.length > 0) await carriers[channel].withdraw(tx, pinned, keys);
  }
}

async function brandOf(ctx: Ctx, { project_id }: Tenant): Promise<string> {
  const project = await findProject(ctx.db, project_id);
  const name = project?.settings.branding?.display_name ?? project?.name ?? "";
  return [...name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")].slice(0, brandMax).join("").trim();
}
