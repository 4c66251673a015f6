import { afterAll, expect, it } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { taken } from "#test/support/mail/mail.ts";
import { turns } from "#test/support/time/eventually.ts";
import type { Ended } from "./end-sends.ts";
import { awaitRecorded, recordAccepted, warmUpRecording } from "./record-accepted.ts";

const { ctx, url, clock } = await testApp();
const database = openDatabase({ url, max: 4, applicationName: "notes-only", ...patience });
afterAll(() => database.close(0));

const ended = (count: number): Ended => ({
  key: { project_id: "prj_1", livemode: true, id: `em_${count}` },
  recipient: { id: `emr_${count}`, position: 0, attempts: 1, address: `r${count}@shop.dev` },
  lease: "dlv_1",
  outcome: taken,
});

it("starts no other message while eight accepted ones aren't recorded, and continues once they are", async () => {
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = ctx.transact(async (tx) => {
    await runStatement(tx, "lock table email_attempts in share mode");
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const notes = Array.from({ length: 7 }, (_, count) => recordAccepted(ctx, ended(count)));
  await awaitRecorded(ctx);
  notes.push(recordAccepted(ctx, ended(7)));
  const order: string[] = [];
  const others = [1, 2, 3].map(() => awaitRecorded(ctx).then(() => order.push("begun")));
  await turns();
  order.push("released");
  release.resolve();
  await Promise.all([...notes, ...others, holding]);
  expect(order).toEqual(["released", "begun", "begun", "begun"]);
});

it("opens the connections of the first notes in advance, once", async () => {
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const own = contextOn(database, { now: clock.now, files });
  const open = () => runStatement(ctx.db, "select pid from pg_stat_activity where application_name = 'notes-only' order by pid");
  await warmUpRecording(own);
  const opened = await open();
  expect(opened).toHaveLength(3);
  await warmUpRecording(own);
  expect(await open()).toEqual(opened);
});
