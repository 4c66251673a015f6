import { type AssetInput, discardAsset, prepareAsset } from "#assets/index.ts";
import { findByToken, orderErrors, submitVoucher, type VoucherRow } from "#orders/index.ts";
import { type Ctx, platformErrors, refuseCardNumbers, type Tenant } from "#platform/index.ts";
import { isRepeat } from "./is-repeat.ts";

interface ProofInput {
  token: string;
  gateway?: string;
  file?: AssetInput["file"] | null;
  transaction_reference?: string | null;
  payer_name?: string | null;
  paid_at?: Date | null;
  amount_minor?: number | null;
  note?: string | null;
}

/** What a buyer may see of the submitted proof: none of the reviewer's flags. */
export interface ProofReceipt {
  id: string;
  object: "voucher";
  payment_session_id: string;
  status: VoucherRow["status"];
  transaction_reference: string | null;
  payer_name: string | null;
  note: string | null;
  created_at: Date;
}

/**
 * Accepts a buyer's proof: a picture, the digits of the transfer, or both; works on expired and revoked links too. The picture is processed
 * only after all cheap checks, and isn't stored if the proof is refused.
 */
export async function submitProof(ctx: Ctx, input: ProofInput): Promise<ProofReceipt> {
  const { token, file, ...fields } = input;
  refuseCardNumbers({ transaction_reference: fields.transaction_reference, payer_name: fields.payer_name, note: fields.note });
  if (file == null && fields.transaction_reference == null) {
    throw platformErrors.parameter_missing({
      param: "file",
      reason: "proof_missing",
      message: "Send an image of the payment or the transfer number.",
    });
  }
  const { order, session } = await findByToken(ctx, token);
  const repeated = await isRepeat(ctx);
  if (!repeated && order.status === "paid") throw orderErrors.order_already_paid();
  if (!repeated && order.status === "canceled" && session === null)
    throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const tenant: Tenant = { project_id: order.project_id, livemode: order.livemode };
  if (file == null) return receiptOf(await submitVoucher(ctx, tenant, { order_id: order.id, ...fields }));
  const picture = await prepareAsset(ctx, tenant, { purpose: "payment_proof", file });
  try {
    return receiptOf(await submitVoucher(ctx, tenant, { order_id: order.id, picture, ...fields }));
  } finally {
    await discardAsset(ctx, picture);
  }
}

function receiptOf({ voucher }: { voucher: VoucherRow }): ProofReceipt {
  const { id, payment_session_id, status, transaction_reference, payer_name, note, created_at } = voucher;
  return { id, object: "voucher", payment_session_id, status, transaction_reference, payer_name, note, created_at };
}
