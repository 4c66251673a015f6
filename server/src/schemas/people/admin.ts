import Type from "typebox";
import type { MerchantOverview } from "#identity/index.ts";
import { tiers } from "#messaging/index.ts";
import { voucherView, type WaitingProofRow } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { amountOut, currencyOut, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { voucherSchema } from "../orders/voucher.ts";
import { merchantSchema, showMerchant } from "./merchant.ts";

export type MerchantOverviewShape = ReturnType<typeof showMerchantOverview>;
export type WaitingProofShape = ReturnType<typeof showWaitingProof>;
export const verificationStatuses = ["pending", "verified", "rejected"] as const;

export const merchantOverviewSchema = shape("MerchantOverview", "A merchant as operators see it.", {
  ...merchantSchema.properties,
  country: textOrNull("The country's ISO 3166 code."),
  rejection_reason: textOrNull("Why it was rejected."),
  sending_suspended_at: instantOrNull("Since when its LIVE sending has been suspended."),
  sending_suspended_reason: textOrNull("Why sending is suspended, as the merchant sees it."),
  sending_suspended_by: textOrNull("The name of the operator who suspended it."),
  projects: integer("How many projects it has."),
  members: integer("How many people belong to it."),
  owner_email: textOrNull("The email address of its first owner."),
});

export const waitingProofSchema = shape("WaitingProof", "A proof that hasn't been reviewed yet.", {
  ...voucherSchema.properties,
  merchant_id: idOf("mer", "The merchant it belongs to."),
  merchant_name: text("The merchant's name."),
  project_id: idOf("prj", "The project."),
  project_name: text("The project's name."),
  order_reference: textOrNull("The order's reference."),
  order_amount_minor: amountOut("The order's amount due."),
  owed_minor: amountOut("How much of it is still due."),
  expected_minor: amountOut("The amount the buyer was asked for: the same, or slightly less if payments are told apart by amount."),
  currency: currencyOut("The order's currency."),
});

const queue = Type.Object(
  {
    name: text("The queue's name.", ["webhook_deliveries"]),
    waiting: integer("How many jobs aren't done yet."),
    oldest_due_at: instantOrNull("Since when the oldest of them has been due; null if nothing is late."),
    dead: integer("How many jobs ran out of attempts within the last day."),
    set_aside: integer(
      "How many jobs are no longer tried because workers crashed or stalled with them. `tillpost queues` lists and releases them.",
    ),
  },
  { description: "One queue." },
);

export const healthSchema = shape("SystemHealth", "The health of the installation.", {
  object: oneOf(["system_health"], "Always `system_health`."),
  at: instant("When this was read."),
  queues: Type.Array(queue, { description: "The queues of background work." }),
  database_bytes: integer("The size of the database in bytes."),
  database_connections: integer("Open connections."),
  disk_free_bytes: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "The free disk space where this process runs, in bytes.",
  }),
  memory_bytes: integer("This process's memory in bytes."),
  mail_transport: oneOf(["outbox", "relay", "mx"], "How email is sent. `outbox`: none leaves the server."),
  backups: oneOf(
    ["nightly", "off", "elsewhere"],
    "Whether Tillpost backs up its database every night. `elsewhere`: the database isn't managed by Tillpost, so you have to back it up yourself.",
  ),
  backup_at: instantOrNull("When the newest backup was started; null if there is none."),
  backup_verified_at: instantOrNull("When a backup last passed `restore --verify`; null if none has."),
  backup_failed_at: instantOrNull("When the last attempt failed; null if it didn't."),
  backup_failure: textOrNull("Why it failed."),
  command_prefix: text("What precedes a command of Tillpost on this server, such as `queues list`.", ["tillpost"]),
  uptime_seconds: integer("How many seconds this process has been running."),
  version: text("The runtime's version."),
});

export interface HealthShape {
  object: "system_health";
  at: Date;
  queues: { name: string; waiting: number; oldest_due_at: Date | null; dead: number; set_aside: number }[];
  database_bytes: number;
  database_connections: number;
  disk_free_bytes: number | null;
  memory_bytes: number;
  mail_transport: "outbox" | "relay" | "mx";
  backups: "nightly" | "off" | "elsewhere";
  backup_at: Date | null;
  backup_verified_at: Date | null;
  backup_failed_at: Date | null;
  backup_failure: string | null;
  command_prefix: string;
  uptime_seconds: number;
  version: string;
}

export const rejectionIn = strict({
  reason: Type.String({ minLength: 1, maxLength: 500, description: "The reason, as the merchant sees it." }),
});
export const suspensionIn = strict({
  reason: Type.String({ minLength: 1, maxLength: 500, description: "The reason, as the merchant sees it." }),
});
export const tierIn = strict({ messaging_tier: oneOf(tiers, "The tier that sets the messaging API's limits.") });

export function showMerchantOverview(row: MerchantOverview) {
  const { country, rejection_reason, projects, members, owner_email } = row;
  const { sending_suspended_at, sending_suspended_reason, sending_suspended_by } = row;
  const suspension = { sending_suspended_at, sending_suspended_reason, sending_suspended_by };
  return { ...showMerchant(row), country, rejection_reason, ...suspension, projects, members, owner_email };
}

export function showWaitingProof(ctx: Ctx, row: WaitingProofRow) {
  const {
    merchant_id,
    merchant_name,
    project_name,
    order_reference,
    order_amount_minor,
    owed_minor,
    expected_minor,
    currency,
    ...voucher
  } = row;
  const owner = { merchant_id, merchant_name, project_id: row.project_id, project_name };
  return { ...voucherView(ctx, voucher), ...owner, order_reference, order_amount_minor, owed_minor, expected_minor, currency };
}
