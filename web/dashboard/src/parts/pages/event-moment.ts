import type { Objects } from "../../data/client.ts";
import type { Tone } from "../shown/status.tsx";
import type { Moment } from "./object-page.tsx";

interface Shown {
  /** By the event's name without its kind, such as `delivered` of `sms.delivered`. */
  titles: Readonly<Record<string, string>>;
  tones: Readonly<Record<string, Tone>>;
}

/** The name of an event without its object's kind. */
export function shortName({ event }: Pick<Objects["Event"], "event">): string {
  return event.slice(event.indexOf(".") + 1);
}

/** A message's or call's event as a moment of its history: when it happened, if a carrier said so, otherwise when it was recorded. */
export function eventMoment(event: Objects["Event"], { titles, tones }: Shown): Moment {
  const name = shortName(event);
  const at = event.data["occurred_at"];
  return { id: event.id, at: typeof at === "string" ? at : event.created_at, tone: tones[name] ?? "plain", title: titles[name] ?? name };
}
