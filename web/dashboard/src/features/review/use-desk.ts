import { useHotkeys } from "@mantine/hooks";
import { useState } from "react";
import { isOlder, type Waiting } from "./use-queue.ts";

export interface Current {
  order: Waiting;
  /** Its place in the queue; -1 when it was decided already. */
  index: number;
  /** What lies there once this one is done with. */
  next: Waiting | undefined;
  show(order: Waiting | undefined): void;
}

/** The payment on the desk. Whatever others do with the queue, it stays until its reader decides or goes on: a press must not meet one that nobody has looked at. */
export function useCurrent(waiting: Waiting[], first: Waiting): Current {
  const [taken, setTaken] = useState(first);
  const index = waiting.findIndex(({ id }) => id === taken.id);
  const order = waiting[index] ?? taken;
  const next = waiting.find((one) => isOlder(order, one)) ?? waiting.find(({ id }) => id !== order.id);
  return { order, index, next, show: (one) => one !== undefined && setTaken(one) };
}

/** Keys of the desk. A key that is held down counts once, and none reaches through an open dialog. */
export function useDeskKeys(deeds: Record<"a" | "r" | "j" | "k", () => unknown>): void {
  const press = (deed: () => unknown) => (event: KeyboardEvent) => event.repeat || document.querySelector("[role=dialog]") !== null || deed();
  useHotkeys(Object.entries(deeds).map(([key, deed]) => [key, press(deed)]));
}
