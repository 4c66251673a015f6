import Type, { type TSchema } from "typebox";
import { type Page, type PageQuery, platformErrors, readCurrency, type Tenant } from "#platform/index.ts";
import { strict } from "#schemas/index.ts";

/** The filters of a list in addition to its page. */
export interface ListFilters {
  status?: readonly string[];
  gateway?: boolean;
  currency?: boolean;
  reference?: boolean;
  created?: boolean;
  q?: boolean;
  /** Whether objects can be filtered by their metadata and by the customer's email address. */
  metadata?: boolean;
  customer?: boolean;
  expand?: readonly string[];
  /** Values of `include` besides `total_count`. */
  include?: { names: readonly string[]; description: string };
  /** `whole`: the list has one page. `none`: a single object, which only has `expand[]`. */
  page?: "whole" | "none";
  /** Filters of this list only. */
  more?: Record<string, TSchema>;
}

/** A list's query as operations take it. */
export interface ListInput {
  limit: number;
  starting_after: string | null;
  ending_before: string | null;
  status: string[];
  gateway: string[];
  currency: string[];
  reference: string[];
  created: { gte: Date | null; gt: Date | null; lte: Date | null; lt: Date | null };
  q: string | null;
  customer_email: string[];
  metadata: Record<string, string>;
  include_total: boolean;
  expand: string[];
}

/** A repeatable filter. */
export const many = (description: string, options: Record<string, unknown> = {}) =>
  Type.Optional(Type.Unsafe<string[]>({ type: "array", items: { type: "string", maxLength: 200, ...options }, maxItems: 50, description }));
/** A timestamp parameter. */
export const bound = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description, examples: ["2026-11-01T00:00:00Z"] }));

const pageProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: "How many objects to return per page." })),
  starting_after: Type.Optional(Type.String({ maxLength: 100, description: "The ID of the object after which the page starts." })),
  ending_before: Type.Optional(
    Type.String({
      maxLength: 100,
      description: "The ID of the object before which the page ends. Can't be combined with `starting_after`.",
    }),
  ),
};

/** The query schema of a list. */
export function listQuery(filters: ListFilters) {
  const properties: Record<string, TSchema> = filters.page === undefined ? { ...pageProperties } : {};
  if (filters.page !== "none") properties.include = includeOf(filters.include);
  if (filters.status !== undefined) properties.status = many("Only these states. Can be repeated.", { enum: [...filters.status] });
  if (filters.gateway === true)
    properties.gateway = Type.Optional(
      Type.Unsafe<string[]>({
        type: "array",
        items: { $ref: "GatewaySlug#" },
        maxItems: 50,
        description: "Only these gateways. Can be repeated.",
      }),
    );
  if (filters.currency === true) properties.currency = many("Only these currencies. Can be repeated.", { pattern: "^[A-Za-z]{3}$" });
  if (filters.reference === true) properties.reference = many("Only these references. Can be repeated.");
  if (filters.q === true)
    properties.q = Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "An ID, or the start of a reference or of a customer's email address." }),
    );
  if (filters.created !== false) {
    properties["created[gte]"] = bound("Created at or after this time.");
    properties["created[gt]"] = bound("Created after this time.");
    properties["created[lte]"] = bound("Created at or before this time.");
    properties["created[lt]"] = bound("Created before this time.");
  }
  if (filters.expand !== undefined)
    properties["expand[]"] = many("Related objects to include in full. Can be repeated.", { enum: [...filters.expand] });
  if (filters.customer === true)
    properties["customer[email]"] = many("Only orders of customers with these email addresses. Can be repeated.", { maxLength: 254 });
  const schema = strict({ ...properties, ...filters.more });
  return Type.Unsafe<Record<string, unknown>>(filters.metadata === true ? { ...schema, patternProperties: metadataFilter } : schema);
}

function includeOf({ names, description }: NonNullable<ListFilters["include"]> = { names: [], description: "" }): TSchema {
  return many(`\`total_count\` adds the number of all matching objects. ${description}`.trim(), { enum: ["total_count", ...names] });
}

/** `metadata[key]=value`, for any key. */
const metadataFilter = {
  "^metadata\\[.{1,40}\\]$": { type: "string", maxLength: 500, description: "Only objects whose metadata has this value for this key." },
};
const metadataName = /^metadata\[(.{1,40})\]$/;

function metadataOf(query: Record<string, unknown>): Record<string, string> {
  const found = Object.entries(query).flatMap(([name, value]) => {
    const key = metadataName.exec(name)?.[1];
    return key === undefined ? [] : [[key, String(value)] as const];
  });
  return Object.fromEntries(found);
}

/** Parses a validated `listQuery`. Throws parameter_conflict for two cursors. */
export function readList(query: Record<string, unknown>): ListInput {
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw platformErrors.parameter_conflict({
      param: "ending_before",
      reason: "only_one",
      message: "Send starting_after or ending_before, not both.",
    });
  }
  const all = (name: string) => (query[name] as string[] | undefined) ?? [];
  const at = (name: string) => (query[`created[${name}]`] === undefined ? null : new Date(query[`created[${name}]`] as string));
  return {
    limit: (query.limit as number | undefined) ?? 20,
    starting_after: (query.starting_after as string | undefined) ?? null,
    ending_before: (query.ending_before as string | undefined) ?? null,
    status: all("status"),
    gateway: all("gateway"),
    currency: all("currency").map(currencyOf),
    reference: all("reference"),
    created: { gte: at("gte"), gt: at("gt"), lte: at("lte"), lt: at("lt") },
    q: (query.q as string | undefined) ?? null,
    customer_email: all("customer[email]"),
    metadata: metadataOf(query),
    include_total: all("include").includes("total_count"),
    expand: all("expand[]"),
  };
}

/** A list with an unknown currency would be empty, and the mistake unnoticed. */
function currencyOf(given: string): string {
  const code = readCurrency(given);
  if (code === null)
    throw platformErrors.parameter_invalid({
      param: "currency",
      reason: "not_a_currency",
      message: "No such currency. Use an ISO 4217 code like CNY.",
    });
  return code;
}

/** The page of a query, as operations take it: only given values. */
export function cursorOf(query: ListInput): PageQuery {
  const { limit, starting_after, ending_before } = query;
  return {
    limit,
    ...(starting_after === null ? {} : { starting_after }),
    ...(ending_before === null ? {} : { ending_before }),
    ...(query.include_total ? { total: true } : {}),
  };
}

/** The filters of a query, as operations take them: only given values. */
export function filtersOf(query: ListInput) {
  const { status, gateway, currency, reference, created, q, customer_email, metadata } = query;
  return {
    ...(status.length === 0 ? {} : { status }),
    ...(gateway.length === 0 ? {} : { gateway }),
    ...(currency.length === 0 ? {} : { currency }),
    ...(reference.length === 0 ? {} : { reference }),
    ...(created.gte === null ? {} : { created_gte: created.gte }),
    ...(created.gt === null ? {} : { created_gt: created.gt }),
    ...(created.lte === null ? {} : { created_lte: created.lte }),
    ...(created.lt === null ? {} : { created_lt: created.lt }),
    ...(q === null ? {} : { q }),
    ...(customer_email.length === 0 ? {} : { customer_email }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** A list as the API returns it. */
export interface ListShape<Item> {
  object: "list";
  url: string;
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
  total_count?: number;
}

/** A page with its objects as the API shows them. */
export interface ListPage<Item> extends Omit<Page<never>, "rows"> {
  url: string;
  data: Item[];
}

/** The response of a list with one page. */
export function showUnpaged<Item>(list: { url: string; data: Item[] }, query: Record<string, unknown>): ListShape<Item> {
  const total = readList(query).include_total ? { total_count: list.data.length } : {};
  return { object: "list", ...list, has_more: false, next_cursor: null, ...total };
}

/** The errors of any list's page, for the route's `errors`. */
export const pageErrors = ["invalid_cursor", "parameter_conflict"] as const;

/** Wraps a page. */
export function showList<Item extends { id: string }>(page: ListPage<Item>): ListShape<Item> {
  const edge = page.upwards ? page.data[0] : page.data.at(-1);
  return {
    object: "list",
    url: page.url,
    data: page.data,
    has_more: page.has_more,
    next_cursor: page.has_more && edge !== undefined ? edge.id : null,
    ...(page.total_count === undefined ? {} : { total_count: page.total_count }),
  };
}

/** The schema of a list of one kind of object, newest first unless `order` says otherwise. */
export function listOf<Item>(name: string, nextCursorOf: string, order = "newest first") {
  return Type.Unsafe<ListShape<Item>>(
    Type.Object(
      {
        object: Type.Unsafe<"list">({ type: "string", enum: ["list"], description: "Always `list`." }),
        url: Type.String({ description: "The path of this list." }),
        data: Type.Array(Type.Unsafe<Item>({ $ref: `${name}#` }), { description: `The objects on this page, ${order}.` }),
        has_more: Type.Boolean({ description: "Whether more objects follow." }),
        next_cursor: Type.Unsafe<string | null>({
          type: ["string", "null"],
          description: `Pass it as \`starting_after\` to get the next page: ${nextCursorOf}.`,
        }),
        total_count: Type.Optional(Type.Integer({ description: "The number of all matching objects. Only with `include=total_count`." })),
      },
      { description: "A page of a list." },
    ),
  );
}

/** The concrete path of a project's list. */
export function listUrl(tenant: Tenant, rest: string): string {
  return `/api/v1/projects/${tenant.project_id}/${rest}`;
}
