import type { Here } from "../../data/here.tsx";
import type { Group, NavEntry } from "../../features/feature.ts";
import { features } from "../../features/index.ts";

export const groups: Group[] = ["money", "build", "messages", "account", "operator"];

/** The entries that this reader can see, in order. */
export function entriesFor(here: Here): NavEntry[] {
  return features
    .flatMap(({ nav = [] }) => nav)
    .filter(({ only }) => only === undefined || only(here))
    .sort((left, right) => groups.indexOf(left.group) - groups.indexOf(right.group) || left.order - right.order);
}
