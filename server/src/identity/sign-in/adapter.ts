import { type CustomAdapter, createAdapterFactory } from "better-auth/adapters";
import { firstLanguage } from "#platform/index.ts";
import { hashToken } from "../people/hash-token.ts";
import { briefMs, isBrief } from "./cookies/cookie.ts";
import {
  type Condition,
  countRows,
  deleteOneRow,
  deleteRows,
  insertRow,
  isColumn,
  listRows,
  type Model,
  type Row,
  updateRows,
} from "./library.sql.ts";
import { currentUnit } from "./unit.ts";

type CleanedWhere = Parameters<CustomAdapter["findOne"]>[0]["where"][number];

/**
 * The sign-in library's access to our tables: in the request's own transaction, with times converted to the shared clock and tokens hashed.
 */
export function createSignInAdapter() {
  return createAdapterFactory({
    config: {
      adapterId: "tillpost",
      supportsJSON: true,
      supportsDates: true,
      supportsBooleans: true,
      supportsArrays: true,
      transaction: false,
    },
    adapter: () => ({
      create: async ({ model, data }) => {
        const unit = currentUnit();
        const row = await insertRow(unit.tx, model as Model, rowOf(model, data));
        if (model === "session") unit.opened = row["id"] as string;
        return { ...fromRow(row), ...(model === "session" ? { token: data["token"] } : {}) } as never;
      },
      update: async ({ model, where, update }) => ((await changed(model, { where, set: update as Row }))[0] ?? null) as never,
      updateMany: async ({ model, where, update }) => (await changed(model, { where, set: update })).length,
      incrementOne: async ({ model, where, increment, set }) =>
        ((await changed(model, { where, set: set ?? {}, increment }))[0] ?? null) as never,
      findOne: async ({ model, where }) => ((await found(model, { where, limit: 1 }))[0] ?? null) as never,
      findMany: async ({ model, where, limit, offset, sortBy }) =>
        (await found(model, {
          where: where ?? [],
          limit,
          offset: offset ?? 0,
          sort: sortBy === undefined ? null : { column: columnName(sortBy.field), descending: sortBy.direction === "desc" },
        })) as never,
      delete: async ({ model, where }) => void (await deleteRows(currentUnit().tx, model as Model, conditions(where))),
      deleteMany: ({ model, where }) => deleteRows(currentUnit().tx, model as Model, conditions(where)),
      consumeOne: async ({ model, where }) => {
        const row = await deleteOneRow(currentUnit().tx, model as Model, conditions(where));
        return (row === null ? null : fromRow(row)) as never;
      },
      count: ({ model, where }) => countRows(currentUnit().tx, model as Model, conditions(where ?? [])),
    }),
  });
}

type Lifetime = Parameters<typeof isBrief>[0];

interface Search {
  where: CleanedWhere[];
  limit: number;
  offset?: number;
  sort?: { column: string; descending: boolean } | null;
}

async function found(model: string, { where, limit, offset = 0, sort = null }: Search): Promise<Row[]> {
  const rows = await listRows(currentUnit().tx, model as Model, { where: conditions(where), limit, offset, sort });
  if (model === "session" && "token" in tokenOf(where)) rows.forEach(noteSession);
  return rows.map((row) => ({ ...fromRow(row), ...tokenOf(where) }));
}

/** Notes what a session that the library opens in place of this one has of it. */
function noteSession(row: Row): void {
  const unit = currentUnit();
  if (isBrief(row as Lifetime)) unit.staysBrief = true;
  if (row["by_passkey"] === true && (row as Lifetime).expires_at > unit.ctx.now()) unit.byPasskeyOf = row["person_id"] as string;
}

async function changed(model: string, given: { where: CleanedWhere[]; set: Row; increment?: Record<string, number> }): Promise<Row[]> {
  const set = rowOf(model, given.set, false);
  const increment = Object.fromEntries(Object.entries(given.increment ?? {}).map(([field, by]) => [columnName(field), by]));
  if (Object.keys(set).length + Object.keys(increment).length === 0) return found(model, { where: given.where, limit: 100 });
  const rows = await updateRows(currentUnit().tx, model as Model, { where: conditions(given.where), set, increment });
  return rows.map((row) => ({ ...fromRow(row), ...tokenOf(given.where) }));
}

/** A caller that searches by token gets that token back: the row only has its hash. */
function tokenOf(where: CleanedWhere[]): Row {
  const condition = where.find(({ field, operator }) => field === "token" && operator === "eq");
  return condition === undefined ? {} : { token: condition.value };
}

const columnName = (field: string) => (field === "userId" ? "person_id" : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const fieldName = (column: string) =>
  column === "person_id" ? "userId" : column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** A row as the table stores it. Fields of the library without a column of ours (tokens of other providers) are dropped. */
function rowOf(model: string, data: Row, isNew = true): Row {
  const { aheadMs, ctx } = currentUnit();
  const row: Row = {};
  for (const [field, value] of Object.entries(data)) {
    const column = columnName(field);
    if (value === undefined || !isColumn(column)) continue;
    row[column] = value instanceof Date ? new Date(value.getTime() + aheadMs) : column === "token" ? hashToken(String(value)) : value;
  }
  if (!isNew) return row;
  if (model === "session") return { active_livemode: false, confirmed_at: ctx.now(), ...row, ...inherited(row) };
  if (model === "user") return { is_operator: false, language: firstLanguage, ...row };
  return row;
}

/** What a new session has of the one that the call came with. The library only lets a session end this soon that begins with a sign-in. */
function inherited({ created_at, person_id }: Row): Row {
  const { staysBrief, byPasskeyOf } = currentUnit();
  return {
    ...(staysBrief ? { expires_at: new Date((created_at as Date).getTime() + briefMs) } : {}),
    ...(byPasskeyOf === null || byPasskeyOf !== person_id ? {} : { by_passkey: true }),
  };
}

function fromRow(row: Row): Row {
  const { aheadMs } = currentUnit();
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [fieldName(column), value instanceof Date ? new Date(value.getTime() - aheadMs) : value]),
  );
}

function conditions(where: CleanedWhere[]): Condition[] {
  const { aheadMs } = currentUnit();
  return where.map(({ field, operator, value, connector }) => {
    if (connector !== "AND" && where.length > 1) throw new Error(`sign-in: conditions joined by ${connector}`);
    const column = columnName(field);
    const moved = value instanceof Date ? new Date(value.getTime() + aheadMs) : value;
    const hashed =
      column !== "token" ? moved : Array.isArray(moved) ? moved.map((token) => hashToken(String(token))) : hashToken(String(moved));
    return { column, operator: operator as Condition["operator"], value: hashed };
  });
}
