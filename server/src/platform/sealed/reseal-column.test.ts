import { expect, test } from "vitest";
import { notice, readMasterKeys, type SealedColumn, seal } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { noticeSecrets } from "../notices/sql.ts";
import { resealColumn } from "./reseal-column.ts";

const { ctx } = await testApp();
const keys = readMasterKeys(`1:${"a5".repeat(32)},2:${"b6".repeat(32)}`);
const column = noticeSecrets[0] as SealedColumn;
const made = 450;
for (let n = 0; n < made; n += 1)
  await ctx.transact((tx) => notice(tx, ctx, { kind: "reseal", recipient: "a@corner.books", params: { n } }));

const walk = (of: SealedColumn, onPortion: () => Promise<void> = async () => {}) =>
  resealColumn({ ...ctx, masterKeys: keys }, of, onPortion);
const paramsOf = async (id: string) =>
  (await runStatement<{ params: string }>(ctx.db, "select params from notices where id = ?", id))[0]?.params;

test("a value that was changed between reading and writing is never overwritten", async () => {
  const changed: string[] = [];
  const racing: SealedColumn = {
    ...column,
    async open(given, stored) {
      if (changed.length < 3) {
        changed.push(stored.row);
        const other = seal({ ...keys, current: 1 }, { table: "notices", column: "params", row: stored.row }, "changed");
        await runStatement(ctx.db, "update notices set params = ? where id = ?", changed.length === 1 ? "" : other, stored.row);
      }
      return column.open(given, stored);
    },
  };
  expect(await walk(racing)).toEqual({ done: made - 3, closed: [] });
  const [emptied = "", ...others] = changed;
  expect(await paramsOf(emptied)).toBe("");
  for (const id of others) expect((await column.open(keys, { row: id, sealed: (await paramsOf(id)) ?? "" })).toString()).toBe("changed");
  expect(await walk(column)).toEqual({ done: 2, closed: [] });
  expect(await walk(column)).toEqual({ done: 0, closed: [] });
});

test("a walk can be ended between its portions, and what was done stays done", async () => {
  const back: SealedColumn = {
    ...column,
    target: () => 1,
    seal: async (_keys, row, plain) => seal({ ...keys, current: 1 }, { table: "notices", column: "params", row }, plain),
  };
  let portions = 0;
  const ended = walk(back, async () => {
    portions += 1;
    if (portions === 3) throw new Error("enough");
  });
  await expect(ended).rejects.toThrow("enough");
  expect(await walk(back)).toEqual({ done: made - 1 - 400, closed: [] });
});
