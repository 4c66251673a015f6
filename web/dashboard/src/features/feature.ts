import type { Icon } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Here } from "../data/here.tsx";
import type { Words } from "../words/language.tsx";

export type Group = "money" | "build" | "messages" | "account" | "operator";

/** A feature of the dashboard: its screens, and its places in the rail and in the command palette. */
export interface Feature {
  pages: Screen[];
  nav?: NavEntry[];
  commands?: Command[];
}

export interface Screen {
  /** Inside a project and environment: "/orders/$id". */
  path: string;
  /** What it shows or sets applies to LIVE, also when it is opened in TEST. */
  live?: true;
  /** The screen's module, loaded when it is first opened. */
  load(): Promise<{ default: ComponentType }>;
}

export interface NavEntry {
  path: string;
  label: Words<string>;
  icon: Icon;
  group: Group;
  /** A smaller number is higher up. */
  order: number;
  /** In a phone's bottom bar. */
  thumb?: boolean;
  /** Who sees it; everyone if absent. */
  only?(here: Here): boolean;
  /** A hook that returns how many items wait. */
  useCount?(here: Here): number | undefined;
}

/** An entry of the command palette that creates or does something. */
export interface Command {
  label: Words<string>;
  path: string;
  only?(here: Here): boolean;
}
