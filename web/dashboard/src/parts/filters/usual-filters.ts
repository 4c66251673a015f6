import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Filter } from "./filters.tsx";
import { useSearchText } from "./search.ts";

/** Filters by an order only if a link did so, so that the filter can be removed. */
export function useOrderFilter(): Filter {
  const all = useWords(shared);
  const id = useSearchText("order");
  return { name: "order", label: all.order, options: id === undefined ? [] : [{ value: id, label: `…${id.slice(-6)}` }] };
}
