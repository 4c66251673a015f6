import type { Icon } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Here } from "../data/here.tsx";
import type { Words } from "../words/language.tsx";

export type Group = "money" | "build" | "messages" | "account" | "operator";

/** Something the dashboard can do: its screens, and its places in the rail and in the command palette. */
export interface Feature {
  pages: Screen[];
  nav?: NavEntry[];
  commands?: Command[];
}

export interface Screen {
  /** Inside a project and environment: "/orders/$id". */
  path: string;
  /** The screen's module, fetched when it is first opened. */
  load(): Promise<{ default: ComponentType }>;
}

export interface NavEntry {
  path: string;
  label: Words<string>;
  icon: Icon;
  group: Group;
  /** Smaller stands higher. */
  order: number;
  /** In a phone's bottom bar. */
  thumb?: boolean;
  /** Who sees it; everyone without it. */
  only?(here: Here): boolean;
  /** How many wait there: a hook. */
  useCount?(here: Here): number | undefined;
}

/** An entry of the command palette that creates or does something. */
export interface Command {
  label: Words<string>;
  path: string;
  only?(here: Here): boolean;
}
