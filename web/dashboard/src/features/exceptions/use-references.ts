import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { keyOf, type Listed } from "../../data/queries.ts";

const atOnce = 30;

/** The orders' own names for these cases, by order id. An exception does not carry them; the transactions that hold its money do. */
export function useReferences(cases: Pick<Objects["PaymentException"], "order_id">[]): ReadonlyMap<string, string> {
  const here = useHere();
  const ids = [...new Set(cases.flatMap(({ order_id }) => order_id ?? []))];
  const read = useQuery({
    queryKey: keyOf(here, "GET /api/v1/transactions", { references: ids }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_none, part) => ids.slice(part * atOnce, (part + 1) * atOnce));
      const pages = await Promise.all(
        parts.map((order_id) => here.client.plain<Listed<Objects["Transaction"]>>("GET /api/v1/transactions", { query: { order_id, limit: 100 }, signal })),
      );
      return pages.flatMap(({ data }) => data);
    },
  });
  return new Map((read.data ?? []).flatMap(({ order_id, reference }) => (order_id === null || reference === null ? [] : [[order_id, reference] as const])));
}
