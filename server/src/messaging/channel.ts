import type { Ctx, ErrorDetail, QueueTable } from "#platform/index.ts";
import type { PerTier } from "./tiers.ts";

/** How a channel's addresses are written and compared. */
export interface AddressRules {
  /** The one form in which two spellings of an address are equal. */
  canonical(text: string): string;
  /** A POSIX pattern of addresses that are certainly in that form already. */
  readonly plain: string;
  /** Why an address cannot be suppressed, or null. */
  fault(text: string): Pick<ErrorDetail, "reason" | "message"> | null;
  /** Whether it belongs to the simulator: it is never suppressed, so that tests with it end the same each time. */
  isSimulated(canonical: string): boolean;
}

/** What the API knows of every channel, also of one that nothing is sent through yet. */
export interface Channel {
  /** As the API and the database spell it. */
  readonly name: string;
  readonly addresses: AddressRules;
  /** Requests that a tier allows each key, by the limit's name: what is sent singly a minute, batches an hour. */
  readonly limits: Readonly<Record<string, PerTier>>;
}

/** A channel that messages are sent through. */
export interface SendingChannel extends Channel {
  readonly quota: {
    /** What is counted, as settings name it. */
    readonly unit: string;
    /** How much of it a tier allows a project and environment in a day. */
    readonly daily: PerTier;
  };
  /** Its messages, one row each with `id`, `status` and `batch_id`. */
  readonly messages: Pick<QueueTable, "table">;
  /** Its jobs, where operators find those that are set aside. */
  readonly queue: QueueTable;
  /** States of messages that wait to be sent. */
  readonly waiting: readonly string[];
}

/** A channel's work that comes due by itself, as workers run it: `run` does one portion and answers its size. */
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
  /** The channel of a name. Throws if there is none: names from outside are checked by their schema. */
  named(name: string): Channel;
  /** As `named`, for a channel that messages are sent through. */
  sendingNamed(name: string): SendingChannel;
  /** What a channel's tiers allow in a day, the operator's changes included. */
  quotasOf(channel: SendingChannel): PerTier;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** The channels that messages go out through: one list for suppressions, quotas, limits and batches. */
    readonly channels: Channels;
  }
}
