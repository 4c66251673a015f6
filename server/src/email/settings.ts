/** What the sending of mail follows, from the configuration. */
export interface MailSettings {
  /** Base address of the messaging API without a trailing slash; unsubscribe, click and open addresses stand under it. */
  readonly baseUrl: string;
  /** Host of its own for unsubscribe, click and open addresses, as an address without a path; without one they stand under `baseUrl`. */
  readonly linksUrl?: string | null;
  /** The platform's own domain: every project may send from it. */
  readonly domain: string;
  /** Domain of return addresses; null: no bounces are received. */
  readonly bounceDomain: string | null;
  /** Sender of Tillpost's own mails. */
  readonly from: string;
  /** How LIVE mail leaves; `outbox` keeps it here. */
  readonly transport: "outbox" | "relay" | "mx";
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** What the sending of mail follows. */
    readonly mail: MailSettings;
  }
}
