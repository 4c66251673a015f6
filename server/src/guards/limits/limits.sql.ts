import type { Tier } from "#messaging/index.ts";
import type { Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { PolicyTerms } from "../policy/policy.sql.ts";
import type { SomeCaps } from "./caps.ts";
import type { QuietHours } from "./quiet-hours.ts";

/** What a project's owner and the operators set. */
export interface LimitTerms {
  /** null: the merchant's own country. */
  countries: string[] | null;
  caps: SomeCaps;
  operator_caps: SomeCaps;
  quiet_hours: Partial<QuietHours>;
}

/** Everything that guards know about a project before they check a message. */
export interface ProjectLimits extends LimitTerms {
  project_id: string;
  merchant_id: string;
  home_country: string | null;
  tier: Tier;
  verified: boolean;
  /** The price table's; null without one. */
  currency: string | null;
  policy: PolicyTerms;
  /** Ranges that are paused in LIVE. */
  paused: { channel: string; prefix: string }[];
  version: number;
  updated_at: Date | null;
}

export async function findLimitsRow(db: Db, projectId: string): Promise<ProjectLimits | null> {
  const [row] = await sql(db)<ProjectLimits>`
    select p.id as project_id, p.merchant_id, m.country as home_country, m.messaging_tier as tier,
      m.verification_status = 'verified' as verified, g.currency, l.countries, coalesce(l.caps, '{}') as caps,
      coalesce(l.operator_caps, '{}') as operator_caps, coalesce(l.quiet_hours, '{}') as quiet_hours, coalesce(l.version, 1) as version,
      l.updated_at, jsonb_build_object('allowed_countries', y.allowed_countries, 'denied_countries', y.denied_countries,
        'denied_prefixes', y.denied_prefixes, 'opened_prefixes', y.opened_prefixes) as policy,
      (select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'prefix', s.prefix)), '[]') from messaging_pauses s
        where s.project_id = ${projectId} and s.livemode = ${true} and s.status = 'active') as paused
    from projects p join merchants m on m.id = p.merchant_id cross join messaging_policy y cross join message_price_list g
    left join messaging_limits l on l.project_id = ${projectId}
    where p.id = ${projectId}`;
  return row ?? null;
}

/** What the caps of some projects are derived from. */
export async function listProjectCaps(
  db: Db,
  projects: readonly string[],
): Promise<Pick<ProjectLimits, "project_id" | "tier" | "verified" | "caps" | "operator_caps">[]> {
  return sql(db)<Pick<ProjectLimits, "project_id" | "tier" | "verified" | "caps" | "operator_caps">>`
    -- all tenants: one loop places every tenant's calls
    select p.id as project_id, m.messaging_tier as tier, m.verification_status = 'verified' as verified,
      coalesce(l.caps, '{}') as caps, coalesce(l.operator_caps, '{}') as operator_caps
    from projects p join merchants m on m.id = p.merchant_id left join messaging_limits l on l.project_id = p.id
    where p.id = any(${[...projects]}::text[])`;
}

/** The quiet hours of some projects, and the database's time. */
export async function listQuietHours(
  tx: Tx,
  projects: readonly string[],
): Promise<{ project_id: string; quiet_hours: Partial<QuietHours>; now: Date }[]> {
  return sql(tx)<{ project_id: string; quiet_hours: Partial<QuietHours>; now: Date }>`
    -- all tenants: one loop sends every tenant's messages
    select p.id as project_id, coalesce(l.quiet_hours, '{}') as quiet_hours, app_now() as now
    from projects p left join messaging_limits l on l.project_id = p.id where p.id = any(${[...projects]}::text[])`;
}

/** Blocks other changes of a project's limits until this transaction ends. */
export async function lockLimits(tx: Tx, projectId: string): Promise<void> {
  await sql(tx)`select from projects where id = ${projectId} for no key update`;
}

/** Blocks other changes of the limits of a merchant's projects until this transaction ends. */
export async function lockMerchantLimits(tx: Tx, merchantId: string): Promise<void> {
  await sql(tx)`select from projects where merchant_id = ${merchantId} order by id for no key update`;
}

/** A merchant's projects that can reach its own country, because they chose no others. */
export async function listProjectsAtHome(db: Db, merchantId: string): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    -- all tenants: a merchant's country applies to all of its projects
    select p.id from projects p left join messaging_limits l on l.project_id = p.id
    where p.merchant_id = ${merchantId} and l.countries is null order by p.id`;
  return rows.map(({ id }) => id);
}

export async function updateLimits(tx: Tx, projectId: string, terms: LimitTerms): Promise<void> {
  const tag = sql(tx);
  await tag`
    insert into messaging_limits as l (project_id, countries, caps, operator_caps, quiet_hours, version, updated_at)
    values (${projectId}, ${terms.countries}::text[], ${tag.json(terms.caps)}, ${tag.json(terms.operator_caps)},
      ${tag.json(terms.quiet_hours)}, 2, app_now())
    on conflict (project_id) do update set countries = excluded.countries, caps = excluded.caps, operator_caps = excluded.operator_caps,
      quiet_hours = excluded.quiet_hours, version = l.version + 1, updated_at = excluded.updated_at`;
}
