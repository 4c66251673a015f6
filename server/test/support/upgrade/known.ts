import type { Tenant } from "#platform/index.ts";

/** A project in one environment, with its credentials. */
export interface KnownShop extends Tenant {
  merchant_id: string;
  key: string;
  /** Cookie and password of its owner. */
  owner: { email: string; cookie: string };
}

/** A payment session that was open when the database was written, and what would settle it. */
export interface WaitingSession {
  shop: number;
  order_id: string;
  settles_by: "receipt" | "review";
  channel: "wechat" | "alipay";
  amount_minor: number;
  remark: string | null;
}

/** A message that was in progress when the database was written, by its progress. */
export type OwedMails = Record<"at_its_server" | "lost" | "unknown" | "deferred" | "batch", string> & { shop: number };

/** An import that is partly done and whose key is held: its process was lost. */
export interface HalfDone {
  shop: number;
  path: string;
  key: string;
  /** A receipt that may be an order's: a person decides. */
  suggested: { receipt: string; order: string };
}

/**
 * What a test knows about a database that an earlier version wrote: the secrets that it stores only sealed or hashed, and what it returned
 * then.
 */
export interface Known {
  /** The commit that wrote it, and when by its own clock. */
  commit: string;
  at: string;
  shops: KnownShop[];
  /** Id and status of each object, by the path of its list, for each shop in order. */
  statuses: Record<string, Record<string, string>>[];
  waiting: WaitingSession[];
  /** Tokens of payment links, whatever state their orders are in. */
  tokens: string[];
  /** An endpoint that is owed deliveries, with the secret that signs them. */
  endpoint: { shop: number; id: string; secret: string };
  /** A request with an idempotency key, and the id that it returned. */
  replay: { shop: number; path: string; body: object; key: string; id: string };
  /** Messages that weren't sent yet. */
  mails: { shop: number; id: string; leaves: "now" | "scheduled" }[];
  /** What workers were lost with, and what was left half done; recorded since commit 09da3fa. */
  underWay?: { mails: OwedMails; deliveries: { shop: number; hanging: string }; half: HalfDone };
}
