import type { DatabaseError } from "pg";

/** More texts than this are a sign that they contain values; further ones are prepared each time. */
const most = 2_000;
const names = new Map<string, string>();
let made = 0;

/** The name under which a text is prepared on each connection; undefined once there are too many. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= most) return known;
  return rename(text);
}

/** After a schema change, a prepared statement may return other columns; PostgreSQL then refuses it permanently on that connection. */
export function rename(text: string): string {
  const name = `s${(made += 1)}`;
  names.set(text, name);
  return name;
}

/** Whether a prepared statement was refused because the schema changed under it. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as Partial<DatabaseError>;
  return code === "0A000" && routine === "RevalidateCachedQuery";
}
