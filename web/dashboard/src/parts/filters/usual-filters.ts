import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Filter } from "./filters.tsx";
import { useSearchText } from "./search.ts";

/** By one order, when a link named it: only shown then, so that it can be taken off. */
export function useOrderFilter(): Filter {
  const all = useWords(shared);
  const id = useSearchText("order");
  return { name: "order", label: all.order, options: id === undefined ? [] : [{ value: id, label: `…${id.slice(-6)}` }] };
}
