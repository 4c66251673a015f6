import type { Claim } from "../context.ts";
import { databaseCode, isCommitUnknown, isUnavailable } from "../database/database.ts";
import { AppError, platformErrors } from "../errors.ts";
import { type Collector, createCollector } from "./collector.ts";
import type { IntakeItem, IntakeRules } from "./intake-rules.ts";
import { perDatabase } from "./per-database.ts";
import { runGroup } from "./run-group.ts";

/** Accepts an item; resolves with its response after the commit. */
export type Intake<Item extends IntakeItem<unknown>> = <Own extends Item>(item: Own) => Promise<ReturnType<Own["answer"]>>;

/** A group only waits briefly for a row or key that another transaction is writing; items that have to wait longer do so separately. */
const groupPatienceMs = 50;
const alonePatienceMs = 2_000;

/**
 * Group commit: requests that wait at the same moment are written in one transaction with their idempotency keys, and get their responses
 * after its commit. Large items, and those that wait for another transaction's row, have separate transactions. Throws
 * idempotency_key_in_use, idempotency_key_reused, and service_unavailable if too much is waiting.
 */
export function createIntake<Item extends IntakeItem<unknown>>(rules: IntakeRules<Item>): Intake<Item> {
  const groups = perDatabase(() => collectorOf(rules, { max: 64, concurrency: 2, waitMs: 5_000, timeoutMs: groupPatienceMs }));
  const singles = perDatabase(() =>
    collectorOf(rules, { max: 1, concurrency: 4, inProgressMax: 3, waitMs: 5_000, timeoutMs: alonePatienceMs }),
  );
  const alone = (item: Item) => singles(item.ctx.db).add(item).catch(refuse);
  return (item) => {
    if (rules.isLarge?.(item) === true) return alone(item) as never;
    const taken = groups(item.ctx.db).add(item);
    return taken.catch((error: unknown) => (isHeldUp(error) ? alone(item) : refuse(error))) as never;
  };
}

interface CollectorLimits {
  max: number;
  concurrency: number;
  inProgressMax?: number;
  waitMs: number;
  timeoutMs: number;
}

function collectorOf<Item extends IntakeItem<unknown>>(
  rules: IntakeRules<Item>,
  { timeoutMs, ...concurrency }: CollectorLimits,
): Collector<Item, unknown> {
  return createCollector<Item, unknown>({
    ...concurrency,
    supply: rules.supply,
    tenantOf: ({ tenant }) => tenant.project_id,
    namesOf: (item) => namesOf(rules, item),
    weightOf: (item) => rules.weightOf?.(item) ?? 1,
    isSorted: true,
    isShared: (error) => isUnavailable(error) || isCommitUnknown(error),
    isHeldUp,
    run: (items) => runGroup(rules, { items, timeoutMs }),
  });
}

/** The first item determines the order in a group. */
function namesOf<Item extends IntakeItem<unknown>>(rules: IntakeRules<Item>, item: Item): string[] {
  const { ctx, tenant } = item;
  const own = rules.namesOf?.(item).map((name) => `${tenant.project_id} ${tenant.livemode} ${name}`) ?? [];
  return ctx.claim === null ? own : [nameOf(ctx.claim), ...own];
}

function nameOf({ project_id, livemode, method, path, key }: Claim): string {
  return `key ${project_id} ${livemode} ${method} ${path} ${key}`;
}

/** Whether a wait for another transaction's write timed out. */
export function isHeldUp(error: unknown): boolean {
  return databaseCode(error instanceof AppError ? error.extras.cause : error) === "55P03";
}

/** A lock timeout means that the service is busy; a key that is being written has its own error. */
function refuse(error: unknown): never {
  if (databaseCode(error) !== "55P03" && !isCommitUnknown(error)) throw error;
  throw platformErrors.service_unavailable({ headers: { "retry-after": "1" }, cause: error });
}
