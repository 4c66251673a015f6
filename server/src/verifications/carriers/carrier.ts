import type { MessageError, SendingTier } from "#messaging/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { CodeChannel, VerificationKey } from "../shapes.ts";
import type { CodeContent } from "../words/write-code.ts";

/** A code to be sent. */
export interface CodeMessage extends CodeContent {
  verification_id: string;
  tier: SendingTier;
  to: string;
  from: string | null;
  /** How many seconds the message is tried for. */
  seconds: number;
}

/** A message that passed its channel's rules. */
export interface ReadyMessage {
  /** Accepts it, as the last step of the transaction; returns the message's id. */
  write(tx: Tx, pinned: Ctx): Promise<string>;
}

/** The status of a message: it may still arrive, it's arriving (a call in progress), it arrived, or why it never will. */
export type Delivery = "open" | "arriving" | "arrived" | MessageError;

/** How codes are sent through one channel, whose own rules, quotas and suppressions apply to them. */
export interface Carrier {
  readonly channel: CodeChannel;
  /** Throws the channel's refusal of a message. */
  prepare(ctx: Ctx, tenant: Tenant, message: CodeMessage): Promise<ReadyMessage>;
  deliveryOf(ctx: Ctx, tenant: Tenant, messageId: string): Promise<Delivery>;
  /** Cancels those of some messages that aren't being sent yet. */
  withdraw(tx: Tx, pinned: Ctx, keys: readonly VerificationKey[]): Promise<void>;
}

/** For a message that failed without a stated reason. */
export function failureOf(status: string, error: MessageError | null): MessageError {
  return error ?? { code: status, message: `The message is ${status.replace("_", " ")}.`, provider_code: null };
}

/** Tags by which a project finds the messages of a verification. */
export function tagsOf({ verification_id }: CodeMessage): { name: string; value: string }[] {
  return [{ name: "verification_id", value: verification_id }];
}
