import type { Tenant } from "#platform/index.ts";
import type { Fragment, Sql } from "#platform/sql.ts";

/**
 * The number from which on a tenant's events can have been created at `since` or later, found by halving the range of its numbers: those
 * that were assigned before `since` are too low. Less an hour, because of events that earlier versions numbered: only the time of their
 * creation is known. Without it, a list of recent events would also read all that came before, because no index has both the number and
 * the time.
 *
 * Plan: one row of `events_in_order` for each step, about twenty among a million events.
 */
export function firstNumberSince(tag: Sql, tenant: Tenant, since: Fragment): Fragment {
  const own = tag`project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and sequence is not null`;
  return tag`(with recursive search (low, high) as (
      select (select sequence from events where ${own} order by sequence limit 1),
        (select sequence from events where ${own} order by sequence desc limit 1) + 1
      union all
      select case when n.numbered_at < ${since} - interval '1 hour' then n.sequence + 1 else s.low end,
        case when n.numbered_at < ${since} - interval '1 hour' then s.high else s.low + (s.high - s.low) / 2 end
      from search s left join lateral (
        select e.sequence, coalesce(e.numbered_at, e.created_at) as numbered_at from events e
        where e.project_id = ${tenant.project_id} and e.livemode = ${tenant.livemode} and e.sequence is not null
          and e.sequence >= s.low + (s.high - s.low) / 2 and e.sequence < s.high
        order by e.sequence limit 1) n on true
      where s.low < s.high)
    select low from search where low >= high)`;
}
