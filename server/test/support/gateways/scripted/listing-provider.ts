import type { GatewayAccount, SettledLine } from "#gateways/index.ts";

type During = <T>(verb: "list", about: { reference: string; key: string }, work: () => T) => Promise<T>;

/** A test's provider that lists what it settled on an account. A call's reference is its span. */
export function listOf(
  settled: ReadonlyMap<string, SettledLine[]>,
  given: { key: string; during: During },
): NonNullable<GatewayAccount["listSettled"]> {
  const { key, during } = given;
  return (_call, { from, to }) =>
    during("list", { reference: `${from.toISOString()} ${to.toISOString()}`, key }, () =>
      (settled.get(key) ?? []).filter(({ occurredAt }) => occurredAt >= from && occurredAt < to),
    );
}
