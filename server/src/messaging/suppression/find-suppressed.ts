import { after, type Db, gatherReads, known, ownProject, type Pipe, type Sent, type Tenant, type Tx } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { isUnreachable } from "./reasons.ts";
import { listActive, listActiveOf, type SuppressionRow } from "./sql.ts";

/** The suppressed ones of some addresses, keyed as given. One statement for all of them. */
export function findSuppressed<On extends Db | Pipe>(
  db: On,
  tenant: Tenant,
  given: { channel: Channel; addresses: readonly string[] },
): Sent<On, Map<string, SuppressionRow>> {
  if (given.addresses.length === 0) return known(db, new Map());
  const { canonical, isSimulated } = given.channel.addresses;
  const wanted = [...new Set(given.addresses.map(canonical))];
  return after(db, listActive(db, tenant, { channel: given.channel.name, addresses: wanted }), (rows) => {
    // An earlier version stored some of the simulator's.
    const byAddress = new Map(rows.filter(({ address }) => !isSimulated(address)).map((row) => [row.address, row]));
    return new Map(
      given.addresses.flatMap((address) => {
        const row = byAddress.get(canonical(address));
        return row === undefined ? [] : [[address, row] as const];
      }),
    );
  });
}

/** One request's lookup. */
interface SuppressionQuery extends Tenant {
  channel: Channel;
  addresses: readonly string[];
}

const askTogether = gatherReads(answerTogether);

/** Whether any of some addresses is suppressed. Concurrent lookups share one statement. */
export function isAnySuppressed(
  db: Db,
  tenant: Tenant,
  { channel, addresses }: Pick<SuppressionQuery, "channel" | "addresses">,
): Promise<boolean> {
  const { project_id, livemode } = tenant;
  return askTogether(db, { project_id, livemode, channel, addresses });
}

async function answerTogether(db: Db, queries: readonly SuppressionQuery[]): Promise<boolean[]> {
  const found = new Set<string>();
  for (const [channel, some] of Map.groupBy(queries, (one) => one.channel)) {
    const { canonical, isSimulated } = channel.addresses;
    const named = some.flatMap(({ project_id, livemode, addresses }) =>
      addresses.map((address) => ({ project_id, livemode, address: canonical(address) })),
    );
    for (const row of await listActiveOf(db, channel.name, named)) if (!isSimulated(row.address)) found.add(nameIn(channel, row));
  }
  return queries.map(({ channel, addresses, ...tenant }) =>
    addresses.some((address) => found.has(nameIn(channel, { ...tenant, address: channel.addresses.canonical(address) }))),
  );
}

function nameIn(channel: Channel, { project_id, livemode, address }: Tenant & { address: string }): string {
  return `${channel.name} ${project_id} ${livemode} ${address}`;
}

/**
 * Whether a suppression applies to a project's messages, whatever they are about. A recipient who once reported one of Tillpost's own
 * messages as spam must still be able to get a new password; an unreachable address stays suppressed.
 */
export function barsSending(suppression: SuppressionRow | undefined): boolean {
  return suppression !== undefined && (suppression.project_id !== ownProject.project_id || isUnreachable(suppression.reason));
}

/** The suppressed ones of some recipients, of any tenants. One statement for all of them. */
export async function findBarred<Named extends Tenant & { address: string }>(
  tx: Tx,
  channel: Channel,
  named: readonly Named[],
): Promise<Named[]> {
  if (named.length === 0) return [];
  const { canonical, isSimulated } = channel.addresses;
  const nameOf = ({ project_id, livemode, address }: Tenant & { address: string }) => `${project_id} ${livemode} ${canonical(address)}`;
  const wanted = new Map(
    named.map((one) => [nameOf(one), { project_id: one.project_id, livemode: one.livemode, address: canonical(one.address) }]),
  );
  const active = await listActiveOf(tx, channel.name, [...wanted.values()]);
  const barred = new Set(active.filter((row) => barsSending(row) && !isSimulated(row.address)).map(nameOf));
  return named.filter((one) => barred.has(nameOf(one)));
}
