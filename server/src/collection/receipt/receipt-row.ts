import type { Tenant } from "#platform/index.ts";
import type { Account } from "../account/sql.ts";
import type { Channel } from "../channels.ts";
import type { ReceiptStatus } from "./states.ts";

export type ReceiptSource = "listener" | "statement" | "manual";
/** Whether the money is there to stay, by the wallet's own word. What is not `final` never settles. */
export type ReceiptState = "final" | "unfinished" | "refunded" | "partly_refunded";

export interface ReceiptRow extends Tenant, Account {
  id: string;
  channel: Channel;
  currency: string;
  amount_minor: number;
  occurred_at: Date;
  external_id: string | null;
  /** The number as it is compared; see `externalKey`. */
  external_key: string | null;
  content_hash: string | null;
  remark: string | null;
  payer_hint: string | null;
  /** The wallet's word for what kind of transfer it was: 二维码收款, 微信红包, 转账 … */
  kind: string | null;
  state: ReceiptState;
  source: ReceiptSource;
  status: ReceiptStatus;
  payment_session_id: string | null;
  /** What its money became when it settled no order, or not as it should. */
  exception_id: string | null;
  /** The receipt of another source that shows the same transfer, while that one is in no books. */
  twin_id: string | null;
  /** The piece of money in the books that it shows. */
  booked_project_id: string | null;
  booked_external_id: string | null;
  /** Closed together with others: one of these transfers, no order's own. */
  set_id: string | null;
  decided_by: string | null;
  decision_reason: string | null;
  created_by: string | null;
  releases: number;
  created_at: Date;
  updated_at: Date;
}
