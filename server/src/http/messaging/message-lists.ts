import Type, { type TSchema } from "typebox";
import type { Tag } from "#messaging/index.ts";
import { platformErrors } from "#platform/index.ts";
import { type ListFilters, type ListInput, listQuery, many, readList } from "#requests/index.ts";

const ofTag = { pattern: "^[A-Za-z0-9_-]{1,256}:[A-Za-z0-9_-]{1,256}$", maxLength: 513, "x-sentence": "must be written as name:value" };

/** Filters of messages of every channel. */
export const messageFilters = {
  tag: many("Only with one of these tags, written as `name:value`. Can be repeated.", ofTag),
  batch_id: many("Only of these batches. Can be repeated.", { maxLength: 100 }),
};

/** The filters of a list of messages in its query. */
export function messageFiltersOf(query: Record<string, unknown>) {
  const { from, to, tag, batch_id } = query as Record<string, string[] | undefined>;
  return {
    ...(from === undefined ? {} : { from: withPlus(from) }),
    ...(to === undefined ? {} : { to: withPlus(to) }),
    ...(tag === undefined ? {} : { tag: tag.map(readTag) }),
    ...(batch_id === undefined ? {} : { batch_id }),
  };
}

/** In a query, a plus sign that isn't written as %2B is read as a space. No address begins with one. */
export function withPlus(addresses: readonly string[]): string[] {
  return addresses.map((address) => address.replace(/^ /, "+"));
}

function readTag(text: string): Tag {
  const [name, value] = text.split(":");
  if (name === undefined || value === undefined) throw platformErrors.parameter_invalid({ param: "tag", reason: "not_allowed" });
  return { name, value };
}

const alias = (of: string) => Type.Optional(Type.String({ maxLength: 100, description: `Another name for \`${of}\`.` }));

/** The query of a list under `/v1`, where `after` and `before` are cursors too. */
export function messageListQuery(filters: ListFilters & { more?: Record<string, TSchema> }) {
  return listQuery({ ...filters, more: { after: alias("starting_after"), before: alias("ending_before"), ...filters.more } });
}

/** Parses a validated `messageListQuery`. Throws parameter_conflict for a cursor under both of its names. */
export function readMessageList(query: Record<string, unknown>): ListInput {
  const { after, before, ...rest } = query;
  return readList({
    ...rest,
    ...cursor("starting_after", query.starting_after, after),
    ...cursor("ending_before", query.ending_before, before),
  });
}

function cursor(name: string, given: unknown, other: unknown): Record<string, unknown> {
  if (given !== undefined && other !== undefined) {
    const param = name === "starting_after" ? "after" : "before";
    throw platformErrors.parameter_conflict({
      param,
      reason: "only_one",
      message: `${param} is another name for ${name}. Send only one of them.`,
    });
  }
  return given === undefined && other === undefined ? {} : { [name]: given ?? other };
}
