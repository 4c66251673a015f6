import { type Columns, columns, type Db, type Fragment, sql, type Tx } from "#platform/sql.ts";

/** The kinds of rows that the sign-in library stores, by its own names. */
export type Model = "user" | "session" | "account" | "verification" | "twoFactor";

/** One condition on a row; all of them must hold. */
export interface Condition {
  column: string;
  operator: "eq" | "ne" | "lt" | "lte" | "gt" | "gte" | "in";
  value: unknown;
}

export type Row = Record<string, unknown>;

const tables: Record<Model, (db: Db) => Fragment> = {
  user: (db) => sql(db)`people`,
  session: (db) => sql(db)`person_sessions`,
  account: (db) => sql(db)`person_credentials`,
  verification: (db) => sql(db)`person_verifications`,
  twoFactor: (db) => sql(db)`person_two_factors`,
};

/** The columns of each kind of row. */
const rowColumns: Record<Model, Columns> = {
  user: columns(
    "people",
    "id, email, email_verified, name, language, image, is_operator, two_factor_enabled, created_at, updated_at, second_step_due_at, provisional_operator",
  ),
  session: columns(
    "person_sessions",
    "id, person_id, token, expires_at, confirmed_at, active_project_id, active_livemode, ip_address, user_agent, created_at, updated_at, by_passkey",
  ),
  account: columns("person_credentials", "id, person_id, provider_id, account_id, password, created_at, updated_at"),
  verification: columns("person_verifications", "id, identifier, value, expires_at, created_at, updated_at"),
  twoFactor: columns("person_two_factors", "id, person_id, secret, backup_codes, verified, failed_verification_count, locked_until"),
};

/** The columns that the library may use; others are neither written nor searchable. */
const named: Record<string, (db: Db) => Fragment> = {
  id: (db) => sql(db)`id`,
  person_id: (db) => sql(db)`person_id`,
  email: (db) => sql(db)`email`,
  email_verified: (db) => sql(db)`email_verified`,
  name: (db) => sql(db)`name`,
  image: (db) => sql(db)`image`,
  language: (db) => sql(db)`language`,
  two_factor_enabled: (db) => sql(db)`two_factor_enabled`,
  token: (db) => sql(db)`token`,
  expires_at: (db) => sql(db)`expires_at`,
  confirmed_at: (db) => sql(db)`confirmed_at`,
  ip_address: (db) => sql(db)`ip_address`,
  user_agent: (db) => sql(db)`user_agent`,
  account_id: (db) => sql(db)`account_id`,
  provider_id: (db) => sql(db)`provider_id`,
  password: (db) => sql(db)`password`,
  identifier: (db) => sql(db)`identifier`,
  value: (db) => sql(db)`value`,
  secret: (db) => sql(db)`secret`,
  backup_codes: (db) => sql(db)`backup_codes`,
  verified: (db) => sql(db)`verified`,
  failed_verification_count: (db) => sql(db)`failed_verification_count`,
  locked_until: (db) => sql(db)`locked_until`,
  created_at: (db) => sql(db)`created_at`,
  updated_at: (db) => sql(db)`updated_at`,
};

export async function insertRow(tx: Tx, model: Model, row: Row): Promise<Row> {
  const table = tables[model](tx);
  const [inserted] = await sql(tx)<Row>`
    insert into ${table} (${rowColumns[model]}) select ${rowColumns[model]} from jsonb_populate_record(null::${table}, ${sql(tx).json(row)})
    returning ${rowColumns[model]}`;
  return inserted as Row;
}

export async function listRows(
  db: Db,
  model: Model,
  given: { where: Condition[]; limit: number; offset: number; sort: { column: string; descending: boolean } | null },
): Promise<Row[]> {
  const order =
    given.sort === null
      ? sql(db)`id`
      : given.sort.descending
        ? sql(db)`${columnOf(db, given.sort.column)} desc`
        : columnOf(db, given.sort.column);
  // A recovery code that was read must not be re-sealed before it is marked as used: the library compares the whole list.
  const lock = model === "twoFactor" ? sql(db)`for no key update` : sql(db)``;
  return await sql(db)<Row>`
    select ${rowColumns[model]} from ${tables[model](db)} where ${whereOf(db, given.where)} order by ${order}
      limit ${given.limit} offset ${given.offset} ${lock}`;
}

export async function updateRows(
  tx: Tx,
  model: Model,
  given: { where: Condition[]; set: Row; increment?: Record<string, number> },
): Promise<Row[]> {
  const assigned = Object.entries(given.set).map(([column, value]) => sql(tx)`${columnOf(tx, column)} = ${value as string}`);
  const counted = Object.entries(given.increment ?? {}).map(
    ([column, by]) => sql(tx)`${columnOf(tx, column)} = coalesce(${columnOf(tx, column)}, 0) + ${by}`,
  );
  const changes = joined(tx, [...assigned, ...counted]);
  return await sql(tx)<Row>`update ${tables[model](tx)} set ${changes} where ${whereOf(tx, given.where)} returning ${rowColumns[model]}`;
}

export async function deleteRows(tx: Tx, model: Model, where: Condition[]): Promise<number> {
  const rows = await sql(tx)`delete from ${tables[model](tx)} where ${whereOf(tx, where)}`;
  return rows.count;
}

/** Deletes one row and returns it; of two concurrent calls, one gets it. */
export async function deleteOneRow(tx: Tx, model: Model, where: Condition[]): Promise<Row | null> {
  const table = tables[model](tx);
  const [row] = await sql(tx)<Row>`
    delete from ${table} where id = (select id from ${table} where ${whereOf(tx, where)} order by id desc limit 1)
    returning ${rowColumns[model]}`;
  return row ?? null;
}

export async function countRows(db: Db, model: Model, where: Condition[]): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*) as count from ${tables[model](db)} where ${whereOf(db, where)}`;
  return row?.count ?? 0;
}

function columnOf(db: Db, name: string): Fragment {
  const column = named[name];
  if (column === undefined) throw new Error(`sign-in: there is no column ${name}`);
  return column(db);
}

export function isColumn(name: string): boolean {
  return named[name] !== undefined;
}

function joined(db: Db, parts: Fragment[]): Fragment {
  const [first, ...rest] = parts;
  if (first === undefined) throw new Error("sign-in: nothing to change");
  return rest.reduce((left, right) => sql(db)`${left}, ${right}`, first);
}

function whereOf(db: Db, where: Condition[]): Fragment {
  return where.map((condition) => conditionOf(db, condition)).reduce((left, right) => sql(db)`${left} and ${right}`, sql(db)`true`);
}

function conditionOf(db: Db, { column: name, operator, value }: Condition): Fragment {
  const column = columnOf(db, name);
  const given = value as string;
  if (operator === "in") return sql(db)`${column} = any(${value as string[]}::text[])`;
  if (value === null) return operator === "ne" ? sql(db)`${column} is not null` : sql(db)`${column} is null`;
  if (operator === "eq") return sql(db)`${column} = ${given}`;
  if (operator === "ne") return sql(db)`${column} <> ${given}`;
  if (operator === "lt") return sql(db)`${column} < ${given}`;
  if (operator === "lte") return sql(db)`${column} <= ${given}`;
  if (operator === "gt") return sql(db)`${column} > ${given}`;
  return sql(db)`${column} >= ${given}`;
}
