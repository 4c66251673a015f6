import type { Client } from "@tillpost/sdk";
import { createContext, use } from "react";
import { clientFor } from "./client.ts";
import type { Me, Membership, MyProject, Role } from "./session.ts";
import { isKnownZone } from "./zone.ts";

/** The project and environment of the page. They are in the URL, so each tab has its own. */
export interface Here {
  me: Me;
  project: MyProject;
  livemode: boolean;
  /** The reader's membership of the project's merchant. */
  membership: Membership | null;
  role: Role;
  client: Client;
  /** A URL inside this project and environment: `to("/orders")`. */
  to(path: string): string;
  /** Whether the reader's role has this permission. The server decides; this only hides what it would refuse. */
  may(action: Action): boolean;
}

/** What pages offer, and the permission or the roles that it requires. */
export type Action =
  | "orders"
  | "review"
  | "refunds"
  | "receipts"
  | "codes"
  | "webhooks"
  | "events"
  | "messages"
  | "emails"
  | "readSms"
  | "sms"
  | "readCalls"
  | "calls"
  | "domains"
  | "suppressions"
  | "numbers"
  | "keys"
  | "gateways"
  | "accounts"
  | "members"
  | "settings";

const permissions: Partial<Record<Action, string>> = {
  orders: "orders:write",
  review: "reviews:write",
  refunds: "refunds:write",
  receipts: "receipts:write",
  codes: "collection_profiles:write",
  webhooks: "webhooks:write",
  events: "webhooks:read",
  messages: "emails:read",
  emails: "emails:write",
  readSms: "sms:read",
  sms: "sms:write",
  readCalls: "calls:read",
  calls: "calls:write",
  domains: "domains:write",
  suppressions: "suppressions:write",
  numbers: "sms:write",
};

const roles: Partial<Record<Action, readonly Role[]>> = {
  keys: ["owner", "admin", "developer"],
  gateways: ["owner", "admin", "developer"],
  accounts: ["owner", "admin", "developer", "viewer"],
  members: ["owner", "admin"],
  settings: ["owner", "admin"],
};

export const HereContext = createContext<Here | null>(null);

export function useHere(): Here {
  const here = use(HereContext);
  if (here === null) throw new Error("outside of a project");
  return here;
}

/** The time zone that the page's project has set. Undefined if the reader's own clock applies: if none is set, and outside of projects. */
export function useZone(): string | undefined {
  const zone = use(HereContext)?.project.settings.time_zone;
  return zone !== undefined && isKnownZone(zone) ? zone : undefined;
}

export function hereOf(me: Me, project: MyProject, livemode: boolean): Here {
  const membership = me.memberships.find(({ merchant_id }) => merchant_id === project.merchant_id) ?? null;
  const role = membership?.role ?? "viewer";
  const held = new Set((livemode ? membership?.permissions_live : membership?.permissions_test) ?? []);
  return {
    me,
    project,
    livemode,
    membership,
    role,
    client: clientFor(livemode, project.id),
    to: (path) => `/${project.path}/${livemode ? "live" : "test"}${path === "/" ? "" : path}`,
    may(action) {
      const permission = permissions[action];
      return permission === undefined ? roles[action]?.includes(role) === true : held.has(permission);
    },
  };
}
