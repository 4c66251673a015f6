import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";

/** The query of the page's URL: texts, several if a name is repeated. */
export type Search = Record<string, string | string[] | undefined>;

export function parseSearch(text: string): Search {
  const values: Search = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

export function stringifySearch(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, String(one));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * Reads and changes the page's own parameters. A changed filter is a step for the browser's back button, unless it replaces the last one.
 */
export function useSearch(): { values: Search; set(values: Search, replace?: boolean): void } {
  const values = useRouterState({ select: (state) => state.location.search as Search });
  const navigate = useNavigate();
  const set = useCallback(
    (next: Search, replace = false) => void navigate({ to: ".", search: (before: Search) => ({ ...before, ...next }), replace } as never),
    [navigate],
  );
  return { values, set };
}

/** One parameter as a single text. */
export function useSearchText(name: string): string | undefined {
  const { values } = useSearch();
  return [values[name] ?? []].flat()[0];
}

/** An internal URL with its query, as the router's links expect it. */
export function linkTo(address: string): { to: string; search?: never } {
  const [to = "", search] = address.split("?");
  return search === undefined ? { to } : { to, search: parseSearch(search) as never };
}
