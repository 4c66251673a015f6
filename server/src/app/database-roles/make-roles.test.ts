import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase, testApp } from "#test/support/app/test-app.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { checkRoles } from "../doctor/role-checks.ts";
import { openDataFolder, startEmbedded } from "../embedded/index.ts";
import { explainFault } from "../explain-fault.ts";
import { bringUpToDate, migrationsFolder, pendingMigrations } from "../migrations.ts";
import { migrateAsOwner } from "./migrate-as-owner.ts";
import { rolesScript } from "./scripts.ts";

/** Runs `work` as the role in a URL. */
async function as<T>(url: string, work: (db: { db: ReturnType<typeof openDatabase>["db"] }) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, max: 2 });
  try {
    return await work({ db: database.db });
  } finally {
    await database.close();
  }
}

const owners =
  "select distinct relowner::regrole::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S')";
const routineOwners = "select distinct proowner::regrole::text as name from pg_proc where pronamespace = 'public'::regnamespace";

test("the embedded database takes over what the previous version created as its superuser, and serves as a role that owns nothing", async () => {
  const folder = temporaryFolder();
  const dataFolder = openDataFolder(await startedFolder(join(folder.path, "data")));
  const start = () => startEmbedded(dataFolder, { log: pino({ level: "silent" }), reserveBytes: 0, connections: 10, onLost: () => {} });
  try {
    const before = await start();
    // As the previous version left it: the superuser owns everything, and there are no roles.
    const { password } = JSON.parse(readFileSync(join(dataFolder.path, "postgres.json"), "utf8")) as { password: string };
    const socket = new URL(before.url).searchParams.get("host") ?? "";
    const admin = new pg.Client({ host: socket, user: "tillpost", password, database: "postgres" });
    await admin.connect();
    for (const role of ["tillpost_app", "tillpost_owner"])
      await admin.query(`reassign owned by ${role} to tillpost; drop owned by ${role}; drop role ${role}`);
    expect((await admin.query(owners)).rows).toEqual([{ name: "tillpost" }]);
    await admin.end();
    await before.stop();

    const now = await start();
    await as(now.url, async (ctx) => {
      // Commands that don't migrate work as well.
      expect(await pendingMigrations(ctx.db)).toEqual([]);
      expect(await bringUpToDate({ ctx, ownerUrl: now.ownerUrl })).toEqual([]);
      for (const statement of [owners, routineOwners]) expect(await runStatement(ctx.db, statement)).toEqual([{ name: "tillpost_owner" }]);
      expect(await checkRoles(ctx)).toMatchObject([{ state: "fine", message: expect.stringMatching(/^tillpost_app serves/) }]);
    });
    await now.stop();
  } finally {
    await dataFolder.release();
    folder.remove();
  }
});

describe("on the operator's own database", async () => {
  const tail = randomBytes(4).toString("hex");
  const [admin, owner, app] = [`admin_${tail}`, `owner_${tail}`, `app "${tail}"`];
  const own = await emptyDatabase();
  const urlOf = (name: string) => Object.assign(new URL(own.url), { username: encodeURIComponent(name), password: "secret" }).href;
  const database = new URL(own.url).pathname.slice(1);
  await onServer(own.url, (server) =>
    server.query(`create role ${admin} login createrole password 'secret'; alter database ${database} owner to ${admin}`),
  );
  await migrate(urlOf(admin), migrationsFolder);
  afterAll(async () => {
    await own.drop();
    await onServer(own.url.replace(`/${database}`, "/postgres"), (server) =>
      server.query(`drop role ${admin}; drop role if exists ${owner}; drop role if exists "${app.replaceAll('"', '""')}"`),
    );
  });
  const findings = (url: string) => as(url, checkRoles);
  const asAdmin = (text: string) => onServer(urlOf(admin), (session) => session.query(text));
  const asOwner = (text: string) => onServer(urlOf(owner), (session) => session.query(text));

  test("a single role still works, and the doctor notes it", async () => {
    expect(await as(urlOf(admin), (ctx) => bringUpToDate({ ctx, ownerUrl: urlOf(admin) }))).toEqual([]);
    expect(await findings(urlOf(admin))).toMatchObject([
      { state: "note", message: expect.stringContaining(`${admin}, owns the tables`), fix: expect.stringContaining("database-roles") },
    ]);
    expect(await findings(own.url)).toMatchObject([{ state: "note", message: expect.stringContaining("is a superuser") }]);
  });

  test("the command's output creates two roles, run by a non-superuser, and changes nothing the second time", async () => {
    for (let times = 0; times < 2; times += 1) await asAdmin(rolesScript({ owner, app }));
    await asAdmin(`alter role ${owner} password 'secret'; alter role "${app.replaceAll('"', '""')}" password 'secret'`);
    expect(await findings(urlOf(app))).toMatchObject([{ state: "fine" }]);
    expect(await as(urlOf(app), (ctx) => runStatement(ctx.db, owners))).toEqual([{ name: owner }]);
    expect(await as(urlOf(app), (ctx) => bringUpToDate({ ctx, ownerUrl: urlOf(owner) }))).toEqual([]);
    const tested = await testApp({ own: { url: own.url, drop: async () => {} } });
    const shop = await tested.tenant();
    const { order } = await createOrder(tested.ctx, shop, { amount_minor: 700, currency: "CNY" });
    expect((await simulatePayment(tested.ctx, shop, { order_id: order.id })).order.status).toBe("paid");
  });

  test("many processes grant what is missing concurrently", async () => {
    const role = `"${app.replaceAll('"', '""')}"`;
    await asOwner(
      `revoke all on all tables in schema public from ${role}; alter default privileges in schema public revoke all on tables from ${role}`,
    );
    await Promise.all(Array.from({ length: 4 }, () => migrateAsOwner({ ownerUrl: urlOf(owner), folder: migrationsFolder, app })));
    expect(await findings(urlOf(app))).toMatchObject([{ state: "fine" }]);
  });

  test("a table added by a later version is usable immediately", async () => {
    await asOwner("create table fresh (id int)");
    await as(urlOf(app), (ctx) => runStatement(ctx.db, "insert into fresh values (1)"));
    await asOwner("drop table fresh");
  });

  test("the doctor reports missing and excess privileges, and migrating fixes both", async () => {
    const role = `"${app.replaceAll('"', '""')}"`;
    await asOwner(
      `revoke insert on orders from ${role}; revoke execute on function roll_balances(int) from ${role}; grant update (action) on audit_log to ${role}`,
    );
    await asOwner(`grant delete on ledger_transfers to ${role}`);
    const [missing, more] = await findings(urlOf(app));
    expect(missing).toMatchObject({ state: "fault", message: `${app} lacks INSERT on orders, EXECUTE on roll_balances` });
    expect(more).toMatchObject({
      state: "fault",
      message: `${app} has more privileges than it needs: UPDATE on audit_log, DELETE on ledger_transfers`,
    });
    await asOwner(`revoke update (action) on audit_log from ${role}`);
    await as(urlOf(app), (ctx) => bringUpToDate({ ctx, ownerUrl: urlOf(owner) }));
    expect(await findings(urlOf(app))).toMatchObject([{ state: "fine" }]);
  });

  test("a role that only serves can't migrate, and reads which setting is missing", async () => {
    await asOwner("delete from schema_migrations where number = (select max(number) from schema_migrations)");
    const message = await as(urlOf(app), (ctx) => bringUpToDate({ ctx, ownerUrl: urlOf(app) })).catch(explainFault);
    expect(message).toContain("set DATABASE_OWNER_URL");
  });
});
