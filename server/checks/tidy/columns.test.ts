import { expect, test } from "vitest";
import { columnsAreNamed } from "./columns.ts";
import { readSchema } from "./statements.ts";

const rule = columnsAreNamed(readSchema('create table orders (\n  id text not null,\n  "position" bigint\n);\n'));
const faultsOf = (text: string) => rule([{ path: "server/src/orders/sql.ts", text }]).length;
const sending = (text: string) => `export async function findIt(db: Db) { await sql(db)\`${text}\`; }`;

test.each([
  ["select * from orders"],
  ["select distinct * from orders"],
  ["select o.* from orders o"],
  ["select o.id, s.total from a join lateral (select p.* from only orders as p) s on true"],
  ["select orders.* from orders"],
  ["insert into orders (id) values (1) returning *"],
  ["with gone as (delete from orders o returning o.*) select id from gone"],
  ["select * from ${table}"],
])("%s is refused", (text) => {
  expect(faultsOf(sending(text))).toBe(1);
});

test.each([
  ["select id, position from orders"],
  ["select count(*), 2 * 3 as six from orders"],
  ["insert into orders (id) select * from unnest(array['a']) as given (id) returning id"],
  ["with given as (select * from jsonb_to_recordset('[]') as g (id text)) select g.* from given g join orders o on o.id = g.id"],
  ["select * from (select id from orders) listed"],
])("%s is allowed", (text) => {
  expect(faultsOf(sending(text))).toBe(0);
});

test("a list of columns names what its table has", () => {
  expect(faultsOf('export const orderColumns = columns("orders", "id, position");')).toBe(0);
  expect(faultsOf('export const orderColumns = columns("orders", `\n  id, colour`);')).toBe(1);
  expect(faultsOf('export const orderColumns = columns("other", "id");')).toBe(1);
});
