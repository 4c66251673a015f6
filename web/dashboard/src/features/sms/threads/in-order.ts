import type { Sms } from "../shown/contact.tsx";

type Timed = Pick<Sms, "status" | "scheduled_at" | "created_at">;

/** The time of a message in its conversation: while it is scheduled, the one at which it will be sent. */
export function timeOf({ status, scheduled_at, created_at }: Timed): string {
  return status === "scheduled" ? (scheduled_at ?? created_at) : created_at;
}

/** Messages by their times, oldest first: what is scheduled comes after everything that has been said. */
export function inOrder<T extends Timed>(messages: readonly T[]): T[] {
  return messages.toSorted((left, right) => Date.parse(timeOf(left)) - Date.parse(timeOf(right)));
}
