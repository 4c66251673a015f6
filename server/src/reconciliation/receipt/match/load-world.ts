import { type Account, listReservations, listSeenReceipts, type ReceiptStatus, readCodes } from "#collection/index.ts";
import { type Db, known, pipeline } from "#platform/index.ts";
import { listPieces, listReservedOrders } from "./sql.ts";
import { type MatchData, type MatchReceipt, type Reservation, spanOf } from "./world.ts";

const dayMs = 86_400_000;
/** A hold lasts eight days at most: a week in review, and the day before. */
const holdDays = 9;
const askingsMax = 50_000;
const receiptsMax = 20_000;

type Wanted = Pick<MatchReceipt, "amount_minor" | "occurred_at" | "remark" | "external_key">;

/** The data of an account that matters for these receipts. `around` adds the receipts of the same amounts, for sets and pairs. */
export async function loadWorld(
  db: Db,
  account: Account,
  given: { receipts: readonly Wanted[]; around: readonly ReceiptStatus[] },
): Promise<MatchData> {
  const { receipts, around } = given;
  if (receipts.length === 0) return { reservations: [], orders: new Map(), pieces: [], receipts: [] };
  const amounts = [...new Set(receipts.map((receipt) => receipt.amount_minor))];
  const codes = [...new Set(receipts.flatMap((receipt) => readCodes(receipt.remark).map(({ code }) => code)))];
  const { from, to } = spanOf(receipts.map((receipt) => receipt.occurred_at));
  const marginMs = holdDays * dayMs * (around.length === 0 ? 0 : 1);
  const wide = { from: new Date(from.getTime() - marginMs), to: new Date(to.getTime() + marginMs) };
  const [reservations, seen] = await pipeline(db, (pipe) => [
    listReservations(pipe, account, { amounts, codes, ...wide, limit: askingsMax }),
    around.length === 0
      ? known(pipe, [])
      : listSeenReceipts(pipe, account, { amounts, ...wide, statuses: [...around], limit: receiptsMax }),
  ]);
  const keys = receipts.flatMap((receipt) => receipt.external_key ?? []);
  const isCut = reservations.length === askingsMax || seen.length === receiptsMax;
  return { reservations, receipts: seen, isCut, ...(await loadOrders(db, account, { reservations, keys })) };
}

async function loadOrders(
  db: Db,
  account: Account,
  given: { reservations: Reservation[]; keys: string[] },
): Promise<Pick<MatchData, "orders" | "pieces">> {
  const wanted = new Map(
    given.reservations.map((reservation) => [reservation.order_id, { project_id: reservation.project_id, id: reservation.order_id }]),
  );
  const orders = [...wanted.values()];
  const [found, pieces] = await pipeline(db, (pipe) => [
    orders.length === 0 ? known(pipe, []) : listReservedOrders(pipe, account.livemode, orders),
    orders.length === 0 && given.keys.length === 0 ? known(pipe, []) : listPieces(pipe, account, { orders, keys: given.keys }),
  ]);
  return { orders: new Map(found.map((order) => [order.id, order])), pieces };
}
