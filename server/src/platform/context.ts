import type { Logger } from "pino";
import type { Egress } from "./create-egress.ts";
import type { IdPrefix } from "./ids.ts";
import type { MasterKeys } from "./secrets.ts";
import type { Db, Tx } from "./sql.ts";

/** Project and environment, which every tenant's row belongs to. */
export interface Tenant {
  project_id: string;
  livemode: boolean;
}

/** The actor, as the audit log records it. */
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
  /** The fingerprint of an earlier version, which compared spellings exactly: keys stored by it still match. */
  former_fingerprint?: string;
  /**
   * The same body with its long texts written out, as both were compared before long texts stayed bytes. Only used if the others differ,
   * because it reads megabytes.
   */
  findWholeFingerprints?: () => Promise<string[]>;
  /** Set once an earlier request's result was returned instead of running again. */
  replayed: boolean;
  /** Set once written, so that a second transaction of the same request doesn't claim again. */
  used: boolean;
}

/** Stores uploaded bytes. The caller chooses keys: lower-case letters, digits, `-`, `_` and `/`. */
export interface FileStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Buffer | null>;
  remove(key: string): Promise<void>;
}

/** Everything an operation can access besides its arguments. Built once in `app`, narrowed per request with `narrow`. */
export interface Ctx {
  readonly db: Db;
  readonly log: Logger;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The Idempotency-Key of this request; the first `transact` writes it together with the effect. */
  readonly claim: Claim | null;
  /** Address at which buyers and merchants reach this deployment, without a trailing slash. */
  readonly publicUrl: string;
  /** How a person runs one of the program's commands where it is installed. */
  howToRun(command: string): string;
  readonly masterKeys: MasterKeys;
  readonly files: FileStore;
  /** The only way to send requests to addresses that merchants name. */
  readonly egress: Egress;
  now(): Date;
  id(prefix: IdPrefix): string;
  /**
   * Runs `work` in one transaction and commits; deadlocks and serialization faults run it again, so `work` keeps no state outside.
   * With a claim, a finished earlier request's result is returned instead and `work` does not run.
   */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `transact`, but ignores the claim: for a group commit, which writes its members' claims itself. */
  transactUnclaimed<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
