import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { KeyCache, PasswordWork, Principal, Role, SignIn, SignInLimits } from "#identity/index.ts";
import type { CarrierWebhook } from "#messaging/index.ts";
import type { Claim, Ctx, Database, InFlight, LimitStore, Tenant, WaitLimit } from "#platform/index.ts";
import type { Metrics } from "./request-metrics.ts";

/** Settings of the surfaces, which `app` reads from the configuration. */
export interface HttpSettings {
  /** CIDR ranges of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  /** Additional host names that the server accepts. */
  allowedHosts: readonly string[];
  /** Whether browsers should use https for all subdomains too. */
  hstsSubdomains: boolean;
  perMinuteLive: number;
  perMinuteTest: number;
  /** Concurrent requests of one key, per process. */
  burst: number;
  /** Changes of the messaging API's tier limits, each as `tier.limit=number`. */
  tierLimits: readonly string[];
  perMinuteUnauthenticated: number;
  perMinuteLinkReads: number;
  perMinuteLinkReadsPerAddress: number;
  perMinuteLinkInitiate: number;
  perHourLinkProofs: number;
  streamsPerLink: number;
  streamsPerAddress: number;
  flatPathsDeprecatedAt: Date;
  flatPathsSunsetAt: Date;
  /** Bearer token that /metrics requires except from loopback; null: only loopback. */
  metricsToken: string | null;
  /** Whether people can create an account themselves. */
  signUp: "invite" | "open";
  /** Sign-in attempts per minute. */
  signInLimits: SignInLimits;
  /** Cost of hashing a password; tests use less. */
  passwordWork: PasswordWork;
  /** Every response must match its documented schema, or it becomes an error: for tests. */
  checkAnswers?: boolean;
  /** Milliseconds between two checks whether the readers of open event streams may still read; by default three seconds, less for tests. */
  streamLookMs?: number;
  /** Milliseconds without a byte after which a connection is closed; by default two minutes, less for tests. */
  idleConnectionMs?: number;
  /** Milliseconds that a request waits for the database, all waits together; by default five seconds, less or more for tests. */
  databaseWaitMs?: number;
  /** Milliseconds that a large response waits for its turn; by default half a minute, less for tests. */
  answerWaitMs?: number;
}

export const defaultHttpSettings: HttpSettings = {
  trustedProxies: [],
  allowedHosts: [],
  hstsSubdomains: false,
  perMinuteLive: 6000,
  perMinuteTest: 1500,
  burst: 200,
  tierLimits: [],
  perMinuteUnauthenticated: 60,
  perMinuteLinkReads: 120,
  perMinuteLinkReadsPerAddress: 1200,
  perMinuteLinkInitiate: 10,
  perHourLinkProofs: 5,
  streamsPerLink: 5,
  streamsPerAddress: 50,
  flatPathsDeprecatedAt: new Date("2026-11-01T00:00:00Z"),
  flatPathsSunsetAt: new Date("2027-11-01T00:00:00Z"),
  metricsToken: null,
  signUp: "invite",
  signInLimits: { perPair: 5, perAccount: 20, perAddress: 30 },
  passwordWork: "usual",
};

/** The state of this installation's backups. */
export interface BackupHealth {
  backups: "nightly" | "off" | "elsewhere";
  backup_at: Date | null;
  backup_verified_at: Date | null;
  backup_failed_at: Date | null;
  backup_failure: string | null;
}

/** The arguments of `buildApp`: the process's context and database, and the settings of the surfaces. */
export interface HttpRuntime {
  ctx: Ctx;
  database: Database;
  settings: HttpSettings;
  /** The built dashboard; by default the output folder of `scripts/dashboard.mjs`. */
  dashboard?: URL;
  /** Where limits are counted; by default in this process. Closed with the server. */
  limits?: LimitStore;
  /** Receives carriers' HTTP requests; without it they get 404. */
  carriers?: readonly CarrierWebhook[];
  /** Reports the state of backups; without it the database isn't Tillpost's own. */
  backups?: () => BackupHealth;
  /** True once the process was asked to stop: `/readyz` reports it while everything else is still served. */
  draining?: boolean;
}

/** A server as passed to a function that adds one route. */
export type App = Parameters<FastifyPluginAsyncTypebox>[0];

/**
 * Scope of a route: a permission, or who can call it without one. `session`: members of a merchant in certain roles; `person`: anyone
 * signed in; `operator`: who runs the installation.
 */
export type RouteScope = string | "any_key" | "public" | "session" | "person" | "operator";

/** Limits of a public link route. `address`: it has no token, and is only counted by address. */
export type LinkLimit = "read" | "initiate" | "proof" | "stream" | "address";

declare module "fastify" {
  interface FastifyInstance {
    runtime: HttpRuntime;
    keys: KeyCache;
    signIn: SignIn;
    limits: LimitStore;
    inFlight: InFlight;
    /** Counts a request without a route; returns the refusal of a full window. */
    countUnrouted(exchange: { request: FastifyRequest; reply: FastifyReply }): Promise<Error | null>;
    metrics: Metrics;
  }
  interface FastifyRequest {
    /** The process's context, narrowed to this request. Set before the handler runs. */
    ctx: Ctx;
    /** Project and environment of the key. */
    tenant: Tenant;
    principal: Principal;
    /** The route's options, read once: the framework creates a new object on each access. */
    route: { url?: string | undefined; config: FastifyContextConfig; schema?: FastifySchema | undefined };
    claim: Claim | null;
    /** How long this request waits for the database. */
    waitLimit: WaitLimit;
    /** The subject of this request's concurrency slot. */
    inFlightOf: string | null;
    /** Time of the request on the process's clock, in milliseconds. */
    startedAtMs: number;
  }
  interface FastifySchema {
    /** Omitted from the documents. */
    hide?: boolean;
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    deprecated?: boolean;
  }

  interface FastifyContextConfig {
    /** Only for the dashboard: described in the second document, which merchants don't build on. */
    internal?: boolean;
    scope?: RouteScope;
    /** Further permissions that open the route; the handler says which one a request needs. */
    alsoScopes?: readonly RouteScope[];
    /** For `session`: the allowed roles. */
    roles?: readonly Role[];
    /** People must have confirmed within ten minutes; `live`: in the LIVE environment. */
    confirmed?: boolean | "live";
    /** Refused in LIVE to an owner who was added to the merchant less than a day ago. */
    refusesNewOwners?: boolean;
    /** The created objects belong to the merchant, not to the active project. */
    ofMerchant?: boolean;
    /** The route affects LIVE money, so the merchant must be verified. */
    movesMoney?: boolean;
    /** The body is a stream of parts: the handler binds the idempotency key once it knows the file's hash. */
    upload?: boolean;
    /** This path is a deprecated alias; the text is its replacement's template. */
    aliasOf?: string;
    linkLimit?: LinkLimit;
    /** A page with an effect to which others redirect buyers: like a form, it redirects to the payment's page, which shows errors. */
    isReturn?: boolean;
    /** Schema of the multipart form that the route accepts in addition to JSON, without its file. */
    form?: unknown;
    /** Schema of the body for the document, if the handler checks more than the route's own schema. */
    document?: unknown;
    /** Codes of the route's own operation, for the document. */
    errors?: readonly string[];
  }
}
