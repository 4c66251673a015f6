import { Checkbox } from "@mantine/core";
import { createContext, use, useMemo, useState } from "react";

export interface Selection {
  picked: ReadonlySet<string>;
  pick(ids: readonly string[], on: boolean): void;
  /** Deselects what was decided. */
  drop(rows: readonly { id: string }[]): void;
}

/** Returns what a person has selected in a list. */
export function useSelection(): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const pick = (ids: readonly string[], on: boolean) =>
      setPicked((before) => (on ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id)))));
    const drop = (rows: readonly { id: string }[]) =>
      pick(
        rows.map(({ id }) => id),
        false,
      );
    return { picked, pick, drop };
  }, [picked]);
}

/** The selection of the list around a row; null if the reader can only view. Selecting a row doesn't draw the others' columns again. */
export const SelectionContext = createContext<Selection | null>(null);

/** The checkbox of one row. */
export function PickRow({ id, label }: { id: string; label: string }) {
  const selection = use(SelectionContext);
  if (selection === null) return null;
  return (
    <Checkbox
      checked={selection.picked.has(id)}
      onChange={(event) => selection.pick([id], event.currentTarget.checked)}
      aria-label={label}
    />
  );
}
