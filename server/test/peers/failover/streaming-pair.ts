import { databaseUrl, onServer } from "#test/support/database/postgres.ts";
import { type Balancer, startPrimaryBalancer } from "#test/support/debian/database-poolers.ts";
import { DebianServer } from "#test/support/debian/debian-postgres.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";

const database = "shop";
const names = ["left", "right"] as const;
type Name = (typeof names)[number];

/** A primary, its standby, and a balancer that leads to the primary. */
export interface StreamingPair {
  /** The database's URL through the balancer. */
  url: string;
  balancer: Balancer;
  /** The database's URL on the server that is the primary, and on the other one. */
  primaryUrl(): string;
  otherUrl(): string;
  /** Kills every process of the primary. */
  killPrimary(): Promise<void>;
  /** Cuts the balancer off from the primary, which keeps running. */
  cutOffPrimary(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  /** Starts the server that isn't the primary as it was when it ended: as a primary, which the balancer doesn't reach. */
  reviveOther(): Promise<void>;
  /** Makes the server that isn't the primary its standby, from a new copy; from then on a commit waits for it. */
  rebuildOther(): Promise<void>;
  /** Kills every process of the standby, and starts it again. */
  killStandby(): Promise<void>;
  startStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Two of Debian's PostgreSQL. A commit is acknowledged once the standby has it on its disk too. */
export async function startPair(): Promise<StreamingPair> {
  const servers: Record<Name, DebianServer> = { left: new DebianServer(await freePort()), right: new DebianServer(await freePort()) };
  const urlOf = (name: Name) => databaseUrl(servers[name].url, database);
  let [primary, other]: [Name, Name] = [...names];
  await servers.left.init();
  await startNamed(servers.left, "left");
  await onServer(servers.left.url, (admin) => admin.query(`create database ${database}`));
  await follow(servers, { primary, other });
  const balancer = await startPrimaryBalancer({ left: urlOf("left"), right: urlOf("right") });
  await untilAnswers(balancer.url);
  return {
    url: balancer.url,
    balancer,
    primaryUrl: () => urlOf(primary),
    otherUrl: () => urlOf(other),
    killPrimary: () => servers[primary].kill(),
    cutOffPrimary: () => balancer.maintain(primary, true),
    async promote() {
      [primary, other] = [other, primary];
      await onServer(servers[primary].url, (admin) => admin.query("select pg_promote(true, 60)"));
    },
    async reviveOther() {
      await balancer.maintain(other, true);
      await startNamed(servers[other], other);
    },
    async rebuildOther() {
      await servers[other].kill();
      await follow(servers, { primary, other });
      await balancer.maintain(other, false);
    },
    killStandby: () => servers[other].kill(),
    startStandby: () => startNamed(servers[other], other),
    async stop() {
      await balancer.stop();
      for (const name of names) await servers[name].remove();
    },
  };
}

async function untilAnswers(url: string): Promise<void> {
  const answers = () =>
    onServer(url, (admin) => admin.query("select 1")).then(
      () => true,
      () => false,
    );
  await eventually("the balancer leads to the primary", answers, { everyMs: 50 });
}

/** The name under which a standby connects to its primary. */
function startNamed(server: DebianServer, name: Name): Promise<void> {
  return server.start(`cluster_name=${name}`);
}

/** Starts a copy of the primary as its standby, and makes commits wait for it. */
async function follow(servers: Record<Name, DebianServer>, { primary, other }: { primary: Name; other: Name }): Promise<void> {
  await servers[other].copy(servers[primary]);
  // A copy has the settings of its primary, and a future primary waits for no standby.
  await startNamed(servers[other], other);
  await onServer(servers[primary].url, async (admin) => {
    await admin.query(`alter system set synchronous_standby_names = '${other}'`);
    await admin.query("select pg_reload_conf()");
    const isSynchronous = async () => {
      const { rows } = await admin.query("select 1 from pg_stat_replication where application_name = $1 and sync_state = 'sync'", [other]);
      return rows.length === 1;
    };
    await eventually("the standby is synchronous", isSynchronous, { everyMs: 50 });
  });
}
