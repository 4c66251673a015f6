import { expect, test } from "vitest";
import { readKeys, sharedReadsAreShort } from "./reads.ts";

const schema = `create table orders (
  project_id text not null,
  id text not null,
  token text,
  constraint orders_pkey PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX orders_token ON public.orders USING btree (token);
CREATE UNIQUE INDEX orders_open ON public.orders USING btree (project_id) WHERE (token IS NULL);

create table projects (
  id text not null,
  constraint projects_pkey PRIMARY KEY (id)
);
`;
const rule = sharedReadsAreShort(readKeys(schema));
const faultsOf = (text: string) => rule([{ path: "server/src/orders/sql.ts", text }]).length;
const sending = (text: string, name = "findIt") => `export async function ${name}(db: Db, id: string) { await byKey(db)<Row>\`${text}\`; }`;
const value = "$" + "{id}";

test.each([
  [`select id from orders where project_id = ${value} and id = ${value}`],
  [`select o.id from orders o where o.token = ${value}`],
  [`select o.id, p.id from orders o join projects p on p.id = o.project_id where o.token = ${value}`],
])("%s is a short read", (text) => {
  expect(faultsOf(sending(text))).toBe(0);
});

test.each([
  [`select id from orders where project_id = ${value}`],
  [`select id from orders where id > ${value} and project_id = ${value}`],
  [`select o.id from orders o join projects p on true where o.token = ${value}`],
  [`select id from orders where token = ${value} for no key update`],
  [`select pg_sleep(1), id from orders where token = ${value}`],
  [`update orders set id = 'a' where token = ${value}`],
  ["select 1"],
])("%s isn't a short read", (text) => {
  expect(faultsOf(sending(text))).toBe(1);
});

test("only a statement that finds one row is a short read, and it directly follows the tag", () => {
  expect(faultsOf(sending(`select id from orders where token = ${value}`, "listThem"))).toBe(1);
  expect(faultsOf(`const tag = byKey(db); export const findIt = () => tag\`select 1\`;`)).toBe(1);
});
