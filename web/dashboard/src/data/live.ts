import { type Query, useQueryClient } from "@tanstack/react-query";
import { ApiError, followEvents } from "@tillpost/sdk";
import { useEffect, useState } from "react";
import { gather } from "./gather.ts";
import { useHere } from "./here.tsx";
import { meQuery } from "./session.ts";

const calmMs = 400;
/** Totals over many orders cost the server more than a page of a list, and don't have to be updated every second. */
const figuresApartMs = 5_000;
const figures = /\/figures$/;
const pollMs = 60_000;
const pollWithoutMs = 5_000;

/**
 * Refetches what an event of this project and environment may have changed, at most every 400 ms, and totals every 5 s. Returns true while
 * the stream is open.
 */
export function useLiveUpdates(): boolean {
  const here = useHere();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const ends = new AbortController();
    let wasOpen = false;
    let broken = false;
    const readAgain = (ofFigures: boolean) => (kinds: ReadonlySet<string>) => {
      const isConcerned = ({ queryKey: [, , route] }: Query) => figures.test(String(route)) === ofFigures && concerns(String(route), kinds);
      const queryKey = [here.project.id, here.livemode];
      void queries.invalidateQueries({ queryKey, predicate: (one) => isConcerned(one) && !isLoadingMore(one) });
      const isLater = queries.getQueryCache().findAll({ queryKey, predicate: (one) => isConcerned(one) && isLoadingMore(one) }).length > 0;
      if (isLater) for (const kind of kinds) look(kind);
    };
    const paces = [gather(readAgain(false), { calmMs, apartMs: calmMs }), gather(readAgain(true), { calmMs, apartMs: figuresApartMs })];
    const look = (kind: string) => {
      for (const { add } of paces) add(kind);
    };
    if (here.may("events"))
      void followEvents(here.client, "GET /api/v1/projects/{projectId}/events/stream", {
        path: { projectId: here.project.id },
        signal: ends.signal,
        onOpen: (now) => {
          // A stream also ends when the session has ended or the role has changed: the page must detect that.
          if (wasOpen && !now) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
          // The stream only contains missed events from the last received one on, if there was one.
          if (now && broken) look("*");
          broken = !now;
          wasOpen = now;
          setOpen(now);
        },
        onEvent: ({ data }) => look((data as { event: string }).event),
      }).catch((error: unknown) => {
        if (error instanceof ApiError) setOpen(false);
      });
    // Not everything has an event, and not every role can follow them. No polling behind the sign-in dialog.
    const isSeen = () => document.visibilityState === "visible" && queries.getQueryData(meQuery.queryKey) !== null;
    const poll = setInterval(() => isSeen() && look("*"), here.may("events") ? pollMs : pollWithoutMs);
    return () => {
      ends.abort();
      clearInterval(poll);
      for (const { stop } of paces) stop();
    };
  }, [here, queries]);
  return open;
}

/** A list that loads its next page would drop that page if it were refetched now. */
function isLoadingMore({ state: { fetchStatus, fetchMeta } }: Query): boolean {
  return fetchStatus === "fetching" && fetchMeta?.fetchMore !== undefined;
}

const messages = /^(email|sms|call|verification)\./;

/** Events of messages change what `/v1` returns; all others what the payments API returns. */
function concerns(route: string, kinds: ReadonlySet<string>): boolean {
  const ofMessages = route.includes(" /v1/");
  return [...kinds].some((kind) => kind === "*" || messages.test(kind) === ofMessages);
}
