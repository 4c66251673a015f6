import {
  hashKey,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { Answer, PlainInput, Query, RouteName } from "@tillpost/sdk";
import { useNotify } from "./errors.tsx";
import { type Here, useHere } from "./here.tsx";
import { useOnce } from "./once.ts";

export interface ReadOptions<R extends RouteName> {
  path?: Record<string, string>;
  query?: Query<R>;
  enabled?: boolean;
  /** Milliseconds between refetches, for data without events. */
  every?: number;
  /** Milliseconds for which a result is used without a refetch, for data that seldom changes. */
  cacheMs?: number;
}

/** Key of everything that was read from one route in this project and environment. */
export function keyOf(here: Here, route: string, ...rest: unknown[]): unknown[] {
  return [here.project.id, here.livemode, route, ...rest];
}

/** Reads a route of the API. The project is filled in. */
export function useApi<R extends RouteName>(route: R, options: ReadOptions<R> = {}): UseQueryResult<Answer<R>> {
  return usePlain<Answer<R>>(route, options as PlainInput & Pick<ReadOptions<R>, "enabled" | "every" | "cacheMs">);
}

/** The same for a route that isn't in the OpenAPI document. */
export function usePlain<T>(
  route: string,
  options: PlainInput & { enabled?: boolean; every?: number; cacheMs?: number } = {},
): UseQueryResult<T> {
  return useQuery({
    ...readOf<T>(useHere(), route, options),
    placeholderData: (before: unknown, query) => (isOfPath(query?.queryKey, options.path) ? before : undefined) as never,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.every === undefined ? {} : { refetchInterval: options.every }),
    ...(options.cacheMs === undefined ? {} : { staleTime: options.cacheMs }),
  }) as UseQueryResult<T>;
}

/** False for another object's data, which is never shown in the place of the requested one. */
function isOfPath(key: readonly unknown[] | undefined, path: Record<string, string> | undefined): boolean {
  return hashKey([(key?.at(-1) as PlainInput | undefined)?.path]) === hashKey([path]);
}

/** Prefetches what is about to be shown, unless it was read a moment ago. */
export function useAhead<R extends RouteName>(route: R): (options: ReadOptions<R>) => void {
  const here = useHere();
  const queries = useQueryClient();
  return (options) => void queries.prefetchQuery(readOf(here, route, options as PlainInput));
}

function readOf<T>(here: Here, route: string, { path, query }: PlainInput) {
  return queryOptions({
    queryKey: keyOf(here, route, { path, query }),
    queryFn: ({ signal }) =>
      here.client.plain<T>(route, { path: { projectId: here.project.id, ...path }, ...(query === undefined ? {} : { query }), signal }),
  });
}

export interface Listed<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list of the API, loaded page by page. */
export function useList<T>(
  route: string,
  options: { path?: Record<string, string>; query?: Record<string, unknown>; enabled?: boolean } = {},
) {
  const here = useHere();
  return useInfiniteQuery({
    queryKey: keyOf(here, route, { path: options.path, query: options.query, list: true }),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      here.client.plain<Listed<T>>(route, {
        path: { projectId: here.project.id, ...options.path },
        query: { limit: 50, ...options.query, ...(pageParam === null ? {} : { starting_after: pageParam }) },
        signal,
      }),
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
    placeholderData: keepPreviousData,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
  });
}

export interface ActionOptions<T> {
  /** For a request that must not be done twice when it is repeated because no response came. */
  once?: boolean;
  /** Shown on success. */
  success?: string;
  onDone?(answer: T): void;
  /** Called with the refusal; true if the caller has shown it. */
  onRefused?(error: unknown): boolean;
}

/** Changes something, then reloads the data on the screen. A refusal is shown as text. */
export function useAction<T = unknown>(route: string, options: ActionOptions<T> = {}) {
  const here = useHere();
  const queries = useQueryClient();
  const notify = useNotify();
  const once = useOnce();
  const send = (input: PlainInput) => here.client.plain<T>(route, { ...input, path: { projectId: here.project.id, ...input.path } });
  return useMutation({
    mutationFn: (input: PlainInput = {}) => (options.once === true ? once(input, send) : send(input)),
    onSuccess: (answer) => {
      void refresh(queries, here);
      if (options.success !== undefined) notify.done(options.success);
      options.onDone?.(answer);
    },
    onError: (error) => {
      void refresh(queries, here);
      if (options.onRefused?.(error) !== true) notify.refused(error);
    },
  });
}

/** Refetches what is shown of this project and environment. */
export function refresh(queries: QueryClient, here: Here): Promise<void> {
  return queries.invalidateQueries({ queryKey: [here.project.id, here.livemode] });
}
