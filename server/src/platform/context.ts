import type { Logger } from "pino";
import type { Egress } from "./create-egress.ts";
import type { IdPrefix } from "./ids.ts";
import type { MasterKeys } from "./secrets.ts";
import type { Db, Tx } from "./sql.ts";

/** The wall that every row of a tenant stands behind. */
export interface Tenant {
  project_id: string;
  livemode: boolean;
}

/** Who acts, as the audit log records it. */
export interface Actor {
  kind: "api_key" | "person" | "buyer" | "provider" | "system";
  id: string;
}

/** One request's Idempotency-Key, bound to tenant, method and concrete path. */
export interface Claim extends Tenant {
  method: string;
  path: string;
  key: string;
  fingerprint: string;
  /** The same body as it was compared before spellings were made equal: keys that were written so still answer. */
  former_fingerprint?: string;
  /** The same body with its long texts written out, as both were compared before those stayed bytes. Asked for only where the others differ: it reads megabytes. */
  findWholeFingerprints?: () => Promise<string[]>;
  /** Set once an earlier request's result was returned in place of running again. */
  replayed: boolean;
  /** Set once written, so that a second transaction of the same request does not claim again. */
  used: boolean;
}

/** Where uploaded bytes are kept. Keys are chosen by the caller: lower-case letters, digits, `-`, `_` and `/`. */
export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
}

/** Everything a deed may reach besides its arguments. Built once in `app`, narrowed per request with `narrow`. */
export interface Ctx {
  readonly db: Db;
  readonly log: Logger;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The Idempotency-Key of this request; the first `transact` writes it together with the effect. */
  readonly claim: Claim | null;
  /** Address that buyers and merchants reach this deployment by, without a trailing slash. */
  readonly publicUrl: string;
  readonly masterKeys: MasterKeys;
  readonly files: FileStore;
  /** The one way out to addresses that merchants name. */
  readonly egress: Egress;
  now(): Date;
  id(prefix: IdPrefix): string;
  /**
   * Runs `work` in one transaction and commits; deadlocks and serialization faults run it again, so `work` keeps no state outside.
   * With a claim, a finished earlier request's result is returned instead and `work` does not run.
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As `transact`, but leaves the claim alone: for a group commit, which writes its members' claims itself. */
  transactUnclaimed<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
