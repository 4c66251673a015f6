import { describe, expect, test } from "vitest";
import type { Rule } from "../read/sources.ts";
import { readStatements } from "../read/statements.ts";
import { pressedStaysFocused } from "./buttons.ts";
import { errorsStandOnce } from "./errors.ts";
import { patternsAreLinear } from "./patterns.ts";
import { entriesOnlyExport, environmentStaysInConfig, providersAreAlike, sqlStaysInSqlFiles, timeIsGiven } from "./places.ts";
import { readRoutes, routesAreRefused } from "./routes.ts";
import { filesAreShort, functionsAreShort } from "./sizes.ts";
import { oneWriterATable, plainSql, readSchema, tenantExceptions, tenantWall } from "./statements.ts";
import { commandsFitThePlace, namesSaySomething, nothingIsPutOff, statementsSayWhat } from "./words.ts";

const schema = readSchema(`create table orders (
  project_id text not null,
  livemode boolean not null,
  id text not null,
  constraint orders_pkey primary key (project_id, livemode, id)
);

create table projects (
  id text not null
);
`);

const operation = "server/src/orders/cancel-order.ts";
const sqlFile = "server/src/orders/sql.ts";
const sending = (text: string) => `export async function findIt(db: Db, tenant: Tenant) { await sql(db)\`${text}\`; }`;
const lines = (count: number) => "const a = 1;\n".repeat(count);
const table = (name: string, entry: string) => `export const ${name} = defineErrors({\n  ${entry},\n});\n`;

interface Case {
  what: string;
  rule: Rule;
  bad: Record<string, string>;
  good: Record<string, string>;
}

const entrance = ["adapter.test.ts", "adapter.ts", "manifest.ts", "simulator.ts", "testing/facts.ts"];
const provider = (names: string[]) => Object.fromEntries(names.map((name) => [`server/src/providers/payment/stripe/${name}`, ""]));
const wall = tenantWall(schema);

const routed = routesAreRefused(
  readRoutes({
    paths: {
      "/orders/{id}": {
        post: { responses: { 409: { description: "`order_already_paid`: …\n\n`idempotency_key_in_use`: …" } } },
        get: { deprecated: true },
      },
    },
  }),
);
const screen = "web/dashboard/src/features/orders/order-actions.tsx";
const tests = "server/src/http/v1/orders.test.ts";

const cases: Case[] = [
  {
    what: "a pattern whose time grows with the square of its text",
    rule: patternsAreLinear,
    bad: { [operation]: "text.replace(/\\s+$/, '')" },
    good: { [operation]: "text.replace(/^\\s+/, '')" },
  },
  { what: "a file of 301 lines", rule: filesAreShort, bad: { [operation]: lines(301) }, good: { [operation]: lines(300) } },
  {
    what: "a function of 51 lines",
    rule: functionsAreShort,
    bad: { [operation]: `function a() {\n${lines(49)}}` },
    good: { [operation]: `function a() {\n${lines(48)}}` },
  },
  {
    what: "four parameters",
    rule: functionsAreShort,
    bad: { [operation]: "const a = (b: 1, c: 1, d: 1, e: 1) => b;" },
    good: { [operation]: "app.on((b, c, d, e) => b);" },
  },
  {
    what: "reading the environment in a room",
    rule: environmentStaysInConfig,
    bad: { [operation]: "process.env.PORT" },
    good: { "server/src/app/config.ts": "process.env.PORT" },
  },
  {
    what: "SQL in an operation",
    rule: sqlStaysInSqlFiles,
    bad: { [operation]: "await sql(db)<Row>`select 1`" },
    good: { [sqlFile]: "await sql(db)<Row>`select 1`" },
  },
  {
    what: "SQL sent as text",
    rule: sqlStaysInSqlFiles,
    bad: { [operation]: "client.unsafe(text)" },
    good: { "server/src/platform/database/migrate/run-steps.ts": "client.unsafe(text)" },
  },
  {
    what: "code in a front door",
    rule: entriesOnlyExport,
    bad: { "server/src/orders/index.ts": "export const a = 1;" },
    good: { "server/src/orders/index.ts": 'export { a } from "./a.ts";' },
  },
  {
    what: "a clock in a room",
    rule: timeIsGiven,
    bad: { [operation]: "const now = new Date();" },
    good: { [operation]: "const now = ctx.now(); const then = new Date(text);" },
  },
  {
    what: "a provider without a simulator",
    rule: providersAreAlike,
    bad: provider([...entrance.slice(0, 3), "wire.ts"]),
    good: provider([...entrance, "wire.ts"]),
  },
  {
    what: "an empty word in a path",
    rule: namesSaySomething,
    bad: { "server/src/orders/order-helper.ts": "" },
    good: { "server/src/orders/help-buyer.ts": "" },
  },
  {
    what: "an empty word in a name",
    rule: namesSaySomething,
    bad: { [operation]: `class Order${"Manager"} {}` },
    good: { [operation]: "class OrderBook {}" },
  },
  {
    what: "a statement that does not say what it does",
    rule: statementsSayWhat,
    bad: { [sqlFile]: "export async function orderOf(db: Db) {\n  return sql(db)`select 1`;\n}" },
    good: { [sqlFile]: "export async function findOrder(db: Db) {\n  return sql(db)`select 1`;\n}" },
  },
  {
    what: "a hint that names npm",
    rule: commandsFitThePlace,
    bad: { "server/src/app/doctor/checks.ts": "const mend = `Run npm run tillpost -- migrate`;" },
    good: { "server/src/app/doctor/checks.ts": '/** After `npm start`. */\nconst mend = `Run ${howToRun("migrate")}`;' },
  },
  {
    what: "a button that loses the keyboard while it waits",
    rule: pressedStaysFocused,
    bad: { [screen]: "const a = <UnstyledButton disabled={busy}>Send</UnstyledButton>;" },
    good: { [screen]: "const a = <><Button loading={busy} disabled>Send</Button><TextInput disabled /></>;" },
  },
  {
    what: "a button of another make that loses the keyboard while it waits",
    rule: pressedStaysFocused,
    bad: { [screen]: 'const a = <Button component="a" loading={busy} />;' },
    good: { [screen]: "const a = <Button component={Link} to={to} />;" },
  },
  { what: "something put off", rule: nothingIsPutOff, bad: { [operation]: `// ${"TO"}DO later` }, good: { [operation]: "// done" } },
  {
    what: "a test left out",
    rule: nothingIsPutOff,
    bad: { "server/src/orders/a.test.ts": `test.${"only"}("x")` },
    good: { "server/src/orders/a.test.ts": 'test("x")' },
  },
  {
    what: "an error code in two tables",
    rule: errorsStandOnce,
    bad: { [operation]: table("a", 'no_route: [409, "No."]'), "server/src/ledger/errors.ts": table("b", 'no_route: [409, "No."]') },
    good: { [operation]: table("a", 'no_route: [409, "No."]'), "server/src/ledger/errors.ts": table("b", 'asset_in_use: [409, "No."]') },
  },
  {
    what: "an error with another status",
    rule: errorsStandOnce,
    bad: { [operation]: table("a", 'no_route: [404, "No."]') },
    good: { [operation]: table("a", 'no_route: [409, "No."]') },
  },
  {
    what: "an error nobody was promised",
    rule: errorsStandOnce,
    bad: { [operation]: table("a", 'odd_thing: [400, "No."]') },
    good: { [operation]: "odd({ thing: [400] })" },
  },
  {
    what: "a second writer",
    rule: oneWriterATable(schema),
    bad: { [sqlFile]: sending("delete from orders"), "server/src/ledger/sql.ts": sending("update orders set a = 1") },
    good: { [sqlFile]: sending("delete from orders for update"), "server/src/ledger/sql.ts": sending("select 1 from orders for update") },
  },
  {
    what: "a select across tenants",
    rule: wall,
    bad: { [sqlFile]: sending("select * from orders where id = ${id}") },
    good: { [sqlFile]: sending("select * from orders where project_id = ${p} and livemode = ${l}") },
  },
  {
    what: "a statement across environments",
    rule: wall,
    bad: { [sqlFile]: sending("update orders set a = 1 where project_id = ${p}") },
    good: { [sqlFile]: sending("update orders set a = 1 where (project_id, livemode) = (${p}, ${l})") },
  },
  {
    what: "a tenant taken from another table",
    rule: wall,
    bad: { [sqlFile]: sending("select from projects p join orders o on o.project_id = p.id and o.livemode = p.livemode") },
    good: { [sqlFile]: sending("-- all tenants: the operator counts\nselect from projects p join orders o on o.project_id = p.id") },
  },
  {
    what: "an insert without a tenant",
    rule: wall,
    bad: { [sqlFile]: sending("insert into orders (id) values (1)") },
    good: { [sqlFile]: sending("insert into orders (project_id, livemode, id) values (1, 2, 3)") },
  },
  {
    what: "a tenant that only another function names",
    rule: wall,
    bad: {
      [sqlFile]: `const mine = (db) => sql(db)\`project_id = \${p} and livemode = \${l}\`;\n${sending("select * from orders where id = ${id}")}`,
    },
    good: {
      [sqlFile]: `const mine = (db) => sql(db)\`project_id = \${p} and livemode = \${l}\`;\n${sending("select * from orders where ${mine(db)}")}`,
    },
  },
  {
    what: "a route without refusals",
    rule: routed,
    bad: { [tests]: 'refusals("GET /orders/:id", good, [])' },
    good: { [tests]: 'refusals("POST /orders/:id", good, [{ status: 409, code: "order_already_paid" }])' },
  },
  {
    what: "a route whose conflict no row shows",
    rule: routed,
    bad: { [tests]: 'refusals("POST /orders/:id", good)' },
    good: { [tests]: 'const paid = { code: "order_already_paid" };\nrefusals(`POST /orders/${id}`, good, [paid])' },
  },
  {
    what: "an advisory lock",
    rule: plainSql,
    bad: { [sqlFile]: sending("select pg_advisory_xact_lock(1)") },
    good: { [sqlFile]: sending("select 1 for update") },
  },
  {
    what: "a deferrable constraint",
    rule: plainSql,
    bad: { "server/migrations/0001_a.sql": "unique (a) deferrable" },
    good: { "server/migrations/0001_a.sql": "unique (a)" },
  },
  {
    what: "another clock than app_now()",
    rule: plainSql,
    bad: { [sqlFile]: sending("select now()") },
    good: { [sqlFile]: sending("select app_now()") },
  },
];

const faults = (rule: Rule, files: Record<string, string>) => rule(Object.entries(files).map(([path, text]) => ({ path, text })));

describe("the tidy rules", () => {
  test.each(cases)("refuse $what, and nothing else", ({ rule, bad, good }) => {
    const found = faults(rule, bad);
    expect(found.length).toBeGreaterThan(0);
    for (const { message } of found) expect(message.length).toBeGreaterThan(20);
    expect(faults(rule, good)).toEqual([]);
  });

  test("list each statement that looks across tenants with its reason", () => {
    const statements = readStatements([{ path: sqlFile, text: sending("-- all tenants: the expiry loop\n select * from orders") }]);
    expect(tenantExceptions(statements)).toContain("| `orders/sql.ts` | `findIt` | the expiry loop |");
  });
});
