import Type, { type TSchema } from "typebox";
import { platformErrors } from "#platform/index.ts";
import { type ListFilters, type ListInput, listQuery, readList } from "../lists.ts";

const alias = (of: string) => Type.Optional(Type.String({ maxLength: 100, description: `Another name of \`${of}\`.` }));

/** The query of a list under `/v1`, where `after` and `before` name the cursors too. */
export function messageListQuery(filters: ListFilters & { more?: Record<string, TSchema> }) {
  return listQuery({ ...filters, more: { after: alias("starting_after"), before: alias("ending_before"), ...filters.more } });
}

/** Reads what `messageListQuery` let through. Throws parameter_conflict for a cursor under both its names. */
export function readMessageList(query: Record<string, unknown>): ListInput {
  const { after, before, ...rest } = query;
  return readList({ ...rest, ...cursor("starting_after", query.starting_after, after), ...cursor("ending_before", query.ending_before, before) });
}

function cursor(name: string, given: unknown, other: unknown): Record<string, unknown> {
  if (given !== undefined && other !== undefined) {
    const param = name === "starting_after" ? "after" : "before";
    throw platformErrors.parameter_conflict({ param, reason: "only_one", message: `${param} is another name of ${name}. Send one of them.` });
  }
  return given === undefined && other === undefined ? {} : { [name]: given ?? other };
}
