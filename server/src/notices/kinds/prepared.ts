import type { Ctx } from "#platform/index.ts";
import type { Facts, Kind, Role } from "./facts.ts";
import type { ParamsOf } from "./params.ts";

/** A notice that is ready to be sent. */
export interface Prepared<K extends Kind = Kind> {
  facts: Facts[K];
  /** The reader's language as known from elsewhere; the reader's own choice takes precedence. */
  language?: string | null | undefined;
  /** The reply address; if absent, replies go nowhere. */
  reply_to?: string;
  /** Marks the email as being about TEST. */
  test?: boolean;
}

/** One kind: which roles of a merchant are notified, and how its facts are loaded. null: there is nothing left to say. */
export interface KindRules<K extends Kind> {
  /** Its link opens an account, or gives a role in one, to the first person who follows it: its text is only for its recipient. */
  opensAccount?: true;
  roles: readonly (readonly Role[])[];
  prepare(ctx: Ctx, given: { params: [ParamsOf[K], ...ParamsOf[K][]]; recipient: string }): Promise<Prepared<K> | null>;
}

/** A notice that no retry could deliver. */
export class UndeliverableNotice extends Error {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}
