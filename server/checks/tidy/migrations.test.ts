import { expect, test } from "vitest";
import { migrationsKeepRunning } from "./migrations.ts";

const faults = (text: string, path = "server/migrations/0900_orders.sql") => migrationsKeepRunning([{ path, text }]);
const alter = (change: string) => `alter table orders ${change};`;
const steps = (...statements: string[]) => ["-- transaction: none", ...statements.map((statement) => `-- step\n${statement}`)].join("\n");
const block = (statement: string) => `do $$\nbegin\n  ${statement}\nend $$;`;
const why = "-- compatible: the version before never writes b.\n";

const constraint = alter("add constraint c check (b > 0) not valid");
const index = "create unique index concurrently if not exists a on orders (b);";
const trigger = "create trigger t before insert or update of b on orders for each row execute function f();";
const change = "update orders set b = 1;";
const composed = block("execute format('create unique index %I on orders (b)', 'a');");

/** A migration that breaks the previous version or locks a busy table, and the same as it should be written. */
const migrations: [what: string, bad: string, good: string][] = [
  ["that drops a column too early", alter("drop column note"), "-- min_program: 46\nalter table orders drop column note;"],
  ["that shuts out the version before", "-- min_program: 47\ndrop table notes;", "-- min_program: 46\ndrop table notes;"],
  ["that renames", alter("rename column a to b"), alter("add column b text")],
  ["that changes a type", alter("alter column a type bigint"), alter("add column a_wide bigint")],
  ["that adds a column which must be given", alter("add column b text not null"), alter("add column b text not null default ''")],
  [
    "that builds an index under a lock",
    "create index a on orders (b);",
    "-- transaction: none\n-- step\ncreate index concurrently if not exists a on orders (b);",
  ],
  [
    "that builds an index concurrently in a transaction",
    "create index concurrently a on orders (b);",
    "create table fresh (b int); create index a on fresh (b);",
  ],
  ["that reads a table for a constraint", why + alter("add constraint c check (b > 0)"), why + constraint],
  [
    "that changes every row at once",
    change,
    "-- transaction: none\n-- step: repeat\nupdate orders set b = 1 where id in (select id from orders where b is null limit 1000);",
  ],
  ["that adds a constraint without a reason", constraint, why + constraint],
  ["that adds a constraint without a name", alter("add column b int, add unique (b)"), why + alter("add column b int, add unique (b)")],
  ["that adds a foreign key", alter("add foreign key (b) references fresh (b) not valid"), "create table fresh (b int references orders);"],
  ["that adds a unique index without a reason", steps(index), steps(why + index)],
  ["that adds a trigger without a reason", trigger, why + trigger],
  ["that replaces a trigger without a reason", trigger.replace("create", "create or replace"), `create table orders (b int); ${trigger}`],
  ["whose reason isn't directly above", `${why}\n${constraint}`, `${why}-- A second line.\n${constraint}`],
  ["whose reason is above another statement", `${why}${constraint}\n${trigger}`, `${why}${constraint}\n${why}${trigger}`],
  ["whose reason is above another step", steps(why + index, index), steps(why + index, why + index)],
  ["without words in its reason", `-- compatible: \n${constraint}`, `-- min_program: 46\n${constraint}`],
  ["that drops a column in a block", block(alter("drop column note")), block(alter("add column if not exists note text"))],
  ["that adds a constraint in a block", block(constraint), block(`${why}  ${constraint}`)],
  ["that changes every row in a block", block(change), `create function f() returns void as $$ begin ${change} end $$;`],
  ["that executes a text that adds an index", composed, composed.replace("  execute", `  ${why}  execute`)],
  [
    "that drops a table in a block with functions of its own",
    "do $do$ begin create function f() returns int as $$ select 1 $$ language sql; drop table notes; end $do$;",
    "do $do$ begin create function f() returns int as $$ drop table notes $$ language sql; end $do$;",
  ],
];

test.each(migrations)("a migration %s is refused, and nothing else", (_what, bad, good) => {
  const found = faults(bad);
  expect(found.length).toBeGreaterThan(0);
  for (const { message } of found) expect(message.length).toBeGreaterThan(20);
  expect(faults(good)).toEqual([]);
});

test("a migration with the number that stays free is refused", () => {
  expect(faults("select 1;", "server/migrations/0007_gateways.sql")).toHaveLength(1);
  expect(faults("select 1;", "server/migrations/0901_gateways.sql")).toEqual([]);
});

test("a migration from before these rules, which is never changed, needs no reasons", () => {
  for (const text of [constraint, trigger, block(alter("drop column note"))]) {
    expect(faults(text, "server/migrations/0149_orders.sql")).toEqual([]);
    expect(faults(text, "server/migrations/0150_orders.sql")).toHaveLength(1);
  }
});
