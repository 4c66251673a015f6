import type { Tenant } from "#platform/index.ts";
import type { Account } from "../account/sql.ts";
import type { Channel } from "../channels.ts";
import type { ReceiptState, ReceiptStatus } from "./states.ts";

export type ReceiptSource = "listener" | "statement" | "manual";

export interface ReceiptRow extends Tenant, Account {
  id: string;
  channel: Channel;
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  external_id: string | null;
  /** The number in comparable form; see `externalKey`. */
  external_key: string | null;
  content_hash: string | null;
  remark: string | null;
  payer_hint: string | null;
  /** The wallet's word for the kind of transfer: 二维码收款, 微信红包, 转账 … */
  kind: string | null;
  state: ReceiptState;
  source: ReceiptSource;
  status: ReceiptStatus;
  payment_session_id: string | null;
  /** The exception of its money if it settled no order, or not as it should. */
  exception_id: string | null;
  /** The receipt of another source that shows the same transfer, while that one isn't in the books. */
  twin_id: string | null;
  /** The money in the books that it shows. */
  booked_project_id: string | null;
  booked_external_id: string | null;
  /** The set that it was closed with: one of several transfers, none of which was a single order's. */
  set_id: string | null;
  decided_by: string | null;
  decision_reason: string | null;
  created_by: string | null;
  releases: number;
  created_at: Date;
  updated_at: Date;
}
