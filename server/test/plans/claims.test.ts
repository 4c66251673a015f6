import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { house } from "../house.ts";
import { timedStatements } from "./claims.ts";
import { insertQueues, plansOf, useProductionClock } from "./plans.sql.ts";

const home = await house();
const tenant = await home.tenant();
const client = new pg.Client({ connectionString: home.url });

beforeAll(async () => {
  await client.connect();
  await useProductionClock(client);
  await insertQueues(client, { project_id: tenant.project_id, livemode: false }, 6_000);
});
afterAll(() => client.end());

describe.each(timedStatements({ project_id: tenant.project_id, livemode: false }))("$name", ({ index, run }) => {
  test("are read by their index, with the clock written in place of its call", async () => {
    const [plan] = await plansOf(client, run);
    expect(plan?.indexes).toContain(index);
    expect(plan?.text).toContain("date_trunc('milliseconds'::text, statement_timestamp())");
    expect(plan?.text).not.toContain("app_now");
  });
});
