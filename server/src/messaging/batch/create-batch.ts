import { AppError, type Ctx, type ErrorDetail, type Tenant } from "#platform/index.ts";
import type { SendingChannel } from "../channel.ts";
import { messagingErrors } from "../errors.ts";
import type { BatchFault, BatchRow } from "./sql.ts";

export interface CreatedBatch {
  id: string;
  total: number;
  accepted: number;
  data: { index: number; id: string; status: string }[];
  errors: BatchFault[];
  created_at: Date;
}

/** Maximum messages of a batch. */
export const batchItemsMax = 100;

/** The result of checking an item: its checked data if it can be sent, otherwise its errors. */
export type Checked<Good> = { good: Good } | { faults: readonly ErrorDetail[] };

interface Batch<Item, Good, Message> {
  channel: SendingChannel;
  items: readonly Item[];
  /** One invalid item refuses all; otherwise invalid ones are omitted. */
  strict: boolean;
  check(item: Item, index: number): Promise<Checked<Good>>;
  /** The error with all errors. */
  refuse(faults: BatchFault[], sentence: string): Error;
  make(good: Good, batch_id: string): Promise<Message> | Message;
  idOf(message: Message): string;
  /** Read after the messages are written, when it is known whether they are sent at all. */
  statusOf(message: Message): string;
  /** Writes messages and batch in one transaction. */
  write(messages: Message[], batch: BatchRow, answer: () => CreatedBatch): Promise<CreatedBatch>;
  /** The messages that an error of `write` refuses, by their positions there; none if it's about something else. */
  refusedOf?(error: unknown, messages: readonly Message[]): ReadonlyMap<number, ErrorDetail>;
}

/**
 * Accepts 1 to 100 messages in one transaction. Strict: any error refuses all with `details`, each with its `index`. Permissive: invalid
 * items are returned in `errors`, unless there are no others, and so are those that turn out to be refused when they are written. Throws
 * batch_too_large, and the errors of the channel's own writing.
 */
export async function createBatch<Item, Good, Message>(ctx: Ctx, tenant: Tenant, given: Batch<Item, Good, Message>): Promise<CreatedBatch> {
  const { items, strict, make } = given;
  if (items.length === 0 || items.length > batchItemsMax) throw messagingErrors.batch_too_large();
  const id = ctx.id("bat");
  const { good, errors } = await checkItems(given);
  const [first] = errors;
  if (first !== undefined && (strict || good.length === 0)) throw given.refuse(errors, `Item ${first.index}: ${first.message}`);
  const places: Place<Message>[] = [];
  for (const { index, item } of good) places.push({ index, message: await make(item, id) });
  return writeBatch(ctx, tenant, { given, id, places, errors });
}

/** A message, and its position in the request. */
interface Place<Message> {
  index: number;
  message: Message;
}

interface Writing<Message> {
  given: Pick<Batch<unknown, never, Message>, "channel" | "items" | "strict" | "idOf" | "statusOf" | "write" | "refusedOf">;
  id: string;
  places: readonly Place<Message>[];
  errors: BatchFault[];
}

async function writeBatch<Message>(ctx: Ctx, tenant: Tenant, { given, id, places, errors }: Writing<Message>): Promise<CreatedBatch> {
  const { channel, items, strict, idOf, statusOf } = given;
  const messages = places.map(({ message }) => message);
  const batch: BatchRow = {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    channel: channel.name,
    total: items.length,
    accepted: messages.length,
    items: places.map(({ index, message }) => ({ index, id: idOf(message) })),
    errors,
    created_at: ctx.now(),
  };
  const { total, accepted } = batch;
  const answer = (): CreatedBatch => {
    const data = places.map(({ index, message }) => ({ index, id: idOf(message), status: statusOf(message) }));
    return { id, total, accepted, data, errors, created_at: batch.created_at };
  };
  try {
    return await given.write(messages, batch, answer);
  } catch (error) {
    const refused = given.refusedOf?.(error, messages) ?? new Map<number, ErrorDetail>();
    if (refused.size === 0) throw error;
    const faults = places.flatMap(({ index }, place) => {
      const detail = refused.get(place);
      return detail === undefined ? [] : [{ index, ...detail }];
    });
    const all = [...errors, ...faults].toSorted((left, right) => left.index - right.index);
    const rest = places.filter((_one, place) => !refused.has(place));
    if (strict || rest.length === 0) throw withItems(error, all);
    return writeBatch(ctx, tenant, { given, id, places: rest, errors: all });
  }
}

/** The error with its items. */
function withItems(error: unknown, faults: readonly BatchFault[]): unknown {
  const [first] = faults;
  if (!(error instanceof AppError) || first === undefined) return error;
  const { code, status, extras } = error;
  const message = `Item ${first.index}: ${first.message}`;
  return new AppError(code, status, message, { ...extras, message, details: [...faults] });
}

async function checkItems<Item, Good>({ items, check }: Pick<Batch<Item, Good, unknown>, "items" | "check">) {
  const good: { index: number; item: Good }[] = [];
  const errors: BatchFault[] = [];
  for (const [index, item] of items.entries()) {
    const found = await check(item, index);
    if ("good" in found) good.push({ index, item: found.good });
    else errors.push(...found.faults.map((fault) => ({ index, ...fault })));
  }
  return { good, errors };
}
