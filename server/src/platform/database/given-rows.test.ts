import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { givenRows } from "../sql.ts";

const { ctx } = await testApp();
const columns = { id: "text", names: "text[]", is_new: "boolean", amount: "bigint", detail: "jsonb", at: "timestamptz" } as const;
const full = {
  id: 'a"\\',
  names: ["x", 'y"'],
  is_new: false,
  amount: 99_999_999_999,
  detail: { a: [null, "\u001f"] },
  at: new Date("2026-11-20T08:00:00.123Z"),
};
const rowsOf = async (rows: object[]) =>
  runStatement(ctx.db, "select m.id, m.names, m.is_new, m.amount, m.detail, m.at from ? order by m.id", givenRows("m", columns, rows));

test("one row and several are handled the same, and what a row lacks is null", async () => {
  const bare = { id: "b" };
  const empty = { id: "b", names: null, is_new: null, amount: null, detail: null, at: null };
  expect(await rowsOf([full, bare])).toEqual([full, empty]);
  expect(await rowsOf([full])).toEqual([full]);
  expect(await rowsOf([bare])).toEqual([empty]);
  expect(await rowsOf([{ ...bare, detail: null, at: undefined }])).toEqual([empty]);
  expect(await rowsOf([])).toEqual([]);
});

test("one row is planned as if its values were written where they are compared", async () => {
  const key = { project_id: "prj_a", livemode: false, id: "ord_a" };
  const given = givenRows("m", { project_id: "text", livemode: "boolean", id: "text" }, [key]);
  const plan = await runStatement<{ "QUERY PLAN": string }>(
    ctx.db,
    "explain update orders o set version = o.version from ? where o.project_id = m.project_id and o.livemode = m.livemode and o.id = m.id",
    given,
  );
  const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
  expect(text).toMatch(/Index Cond: \(\(project_id = /);
  expect(text).not.toMatch(/Join|Nested|Subquery|Function/);
});

test("names that aren't plain names are refused", () => {
  expect(() => givenRows("m", { "id text) as x; --": "text" }, [])).toThrow("not a plain name");
});
