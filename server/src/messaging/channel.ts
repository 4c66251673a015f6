import type { Ctx, ErrorDetail, QueueTable } from "#platform/index.ts";
import type { PerTier } from "./tiers.ts";

/** How a channel's addresses are written and compared. */
export interface AddressRules {
  /** The canonical form, in which equal addresses are equal texts. */
  canonical(text: string): string;
  /** A POSIX pattern of addresses that are certainly in that form already. */
  readonly plain: string;
  /** Why an address can't be suppressed, or null. */
  fault(text: string): Pick<ErrorDetail, "reason" | "message"> | null;
  /** Whether it belongs to the simulator: it is never suppressed, so that tests with it always have the same result. */
  isSimulated(canonical: string): boolean;
}

/** The API's data of every channel, also of one without a sender yet. */
export interface Channel {
  /** Its name in the API and the database. */
  readonly name: string;
  readonly addresses: AddressRules;
  /** Requests that a tier allows each key, by the limit's name: single ones per minute, batches per hour. */
  readonly limits: Readonly<Record<string, PerTier>>;
}

/** A channel with a sender. */
export interface SendingChannel extends Channel {
  readonly quota: {
    /** The counted unit, as settings name it. */
    readonly unit: string;
    /** The daily limit of a tier per project and environment. */
    readonly daily: PerTier;
  };
  /** Its messages, one row each with `id`, `status` and `batch_id`. */
  readonly messages: Pick<QueueTable, "table">;
  /** Its queue, where operators find jobs that were set aside. */
  readonly queue: QueueTable;
  /** States of messages that wait to be sent. */
  readonly waiting: readonly string[];
}

/** A channel's background work, as workers run it: `run` does one portion and returns its size. */
export interface ChannelTask {
  name: string;
  everyMs: number;
  run(ctx: Ctx): Promise<number>;
  listen?(ctx: Ctx, wake: () => void): () => void;
  /** Waits for work that `run` left in progress. Called once, after the last run. */
  finish?(ctx: Ctx): Promise<void>;
}

/** The channels of this installation. */
export interface Channels {
  readonly all: readonly Channel[];
  readonly sending: readonly SendingChannel[];
  /** The channel with a name. Throws if there is none: schemas check names from outside. */
  named(name: string): Channel;
  /** Like `named`, for a channel with a sender. */
  sendingNamed(name: string): SendingChannel;
  /** The daily limits of a channel's tiers, including the operator's changes. */
  quotasOf(channel: SendingChannel): PerTier;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** The message channels: one list for suppressions, quotas, limits and batches. */
    readonly channels: Channels;
  }
}
