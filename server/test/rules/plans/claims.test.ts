import { describe, expect, test } from "vitest";
import { fullQueues, timedStatements } from "./claims.ts";
import { plansOf } from "./plans.sql.ts";

const { client, tenant } = await fullQueues(6_000);

describe.each(timedStatements(tenant))("$name", ({ index, run }) => {
  test("are read by their index, with the clock written in place of its call", async () => {
    const [plan] = await plansOf(client, run);
    expect(plan?.indexes).toContain(index);
    expect(plan?.text).toContain("date_trunc('milliseconds'::text, statement_timestamp())");
    expect(plan?.text).not.toContain("app_now");
  });
});
