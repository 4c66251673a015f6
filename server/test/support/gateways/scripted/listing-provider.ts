import type { GatewayAccount, ListedLine } from "#gateways/index.ts";

type During = <T>(verb: "list", about: { reference: string; key: string }, work: () => T) => Promise<T>;

/** A test's provider that lists what it settled on an account, and lines without a time every day. A call's reference is its span. */
export function listOf(
  settled: ReadonlyMap<string, ListedLine[]>,
  given: { key: string; during: During },
): NonNullable<GatewayAccount["listSettled"]> {
  const { key, during } = given;
  return (_call, { from, to }) =>
    during("list", { reference: `${from.toISOString()} ${to.toISOString()}`, key }, () =>
      (settled.get(key) ?? []).filter((line) => line.kind === "unreadable" || (line.occurredAt >= from && line.occurredAt < to)),
    );
}
