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
  country: textOrNull("ISO 3166 code of the country."),
  rejection_reason: textOrNull("Why it was rejected."),
  sending_suspended_at: instantOrNull("Since when its LIVE messages are stopped."),
  sending_suspended_reason: textOrNull("Why they are stopped, as the merchant is told."),
  sending_suspended_by: textOrNull("Name of the operator who stopped them."),
  projects: integer("How many projects it has."),
  members: integer("How many people belong to it."),
  owner_email: textOrNull("Address of its first owner."),
});

export const waitingProofSchema = shape("WaitingProof", "A proof that nobody has decided on yet.", {
  ...voucherSchema.properties,
  merchant_id: idOf("mer", "Whose it is."),
  merchant_name: text("The merchant's name."),
  project_id: idOf("prj", "The project."),
  project_name: text("The project's name."),
  order_reference: textOrNull("The order's reference."),
  order_amount_minor: amountOut("What the order asks for."),
  owed_minor: amountOut("What of it is still owed."),
  expected_minor: amountOut("What the buyer was asked for: the same, or a little less where amounts tell payments apart."),
  currency: currencyOut("The order's currency."),
});

const queue = Type.Object(
  {
    name: text("Which queue.", ["webhook_deliveries"]),
    waiting: integer("What is not done yet."),
    oldest_due_at: instantOrNull("Since when the oldest of them is due; null: nothing is late."),
    dead: integer("What was given up within the last day."),
    set_aside: integer("What is not tried any more, because workers died or stalled with it; `tillpost queues` lists and releases it."),
  },
  { description: "One queue." },
);

export const healthSchema = shape("SystemHealth", "The health of the installation.", {
  object: oneOf(["system_health"], "Always `system_health`."),
  at: instant("When this was seen."),
  queues: Type.Array(queue, { description: "Work that waits." }),
  database_bytes: integer("Size of the database."),
  database_connections: integer("Open connections."),
  disk_free_bytes: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "Free space where this process runs." }),
  memory_bytes: integer("Memory of this process."),
  mail_transport: oneOf(["outbox", "relay", "mx"], "How mail leaves; `outbox`: none does."),
  backups: oneOf(
    ["nightly", "off", "elsewhere"],
    "Whether Tillpost backs up its database every night; `elsewhere`: the database is not its own, and backing it up is yours to do.",
  ),
  backup_at: instantOrNull("When the newest backup was begun; null: there is none."),
  backup_verified_at: instantOrNull("When a backup last passed `restore --verify`; null: none ever did."),
  backup_failed_at: instantOrNull("When the last attempt failed; null: it did not."),
  backup_failure: textOrNull("Why it failed."),
  uptime_seconds: integer("Since when this process runs."),
  version: text("Version of the runtime."),
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
  uptime_seconds: number;
  version: string;
}

export const rejectionIn = strict({ reason: Type.String({ minLength: 1, maxLength: 500, description: "What the merchant is told." }) });
export const suspensionIn = strict({ reason: Type.String({ minLength: 1, maxLength: 500, description: "What the merchant is told." }) });
export const tierIn = strict({ messaging_tier: oneOf(tiers, "Plan that sets the limits of the messaging API.") });

export function showMerchantOverview(row: MerchantOverview) {
  const { country, rejection_reason, projects, members, owner_email } = row;
  const { sending_suspended_at, sending_suspended_reason, sending_suspended_by } = row;
  const suspension = { sending_suspended_at, sending_suspended_reason, sending_suspended_by };
  return { ...showMerchant(row), country, rejection_reason, ...suspension, projects, members, owner_email };
}

export function showWaitingProof(ctx: Ctx, row: WaitingProofRow) {
  const { merchant_id, merchant_name, project_name, order_reference, order_amount_minor, owed_minor, expected_minor, currency, ...voucher } = row;
  const owner = { merchant_id, merchant_name, project_id: row.project_id, project_name };
  return { ...voucherView(ctx, voucher), ...owner, order_reference, order_amount_minor, owed_minor, expected_minor, currency };
}
