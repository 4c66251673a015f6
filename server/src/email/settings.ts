/** A domain's key pair for signing. */
export interface KeyPair {
  /** As its DNS record has it. */
  public_key: string;
  private_pem: string;
}

/** Settings for sending email. */
export interface MailSettings {
  /** Base URL of the messaging API without a trailing slash; unsubscribe, click and open addresses are under it. */
  readonly baseUrl: string;
  /** Separate host for unsubscribe, click and open addresses, as a URL without a path; if absent they are under `baseUrl`. */
  readonly linksUrl?: string | null;
  /** The platform's own domain: every project may send from it. */
  readonly domain: string;
  /** Domain of return addresses; null: no bounces are received. */
  readonly bounceDomain: string | null;
  /** Sender of system emails. */
  readonly from: string;
  /** How LIVE email is sent; `outbox` stores it here. */
  readonly transport: "outbox" | "relay" | "mx";
  /** Makes a domain's key pair; if absent, a new one for each domain. Tests share one, because making it takes longer than most of them. */
  readonly makeKeys?: () => Promise<KeyPair>;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** Settings for sending email. */
    readonly mail: MailSettings;
  }
}
