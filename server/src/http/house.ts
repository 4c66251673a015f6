import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyContextConfig, FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { KeyCache, PasswordWork, Principal, Role, SignIn, SignInLimits } from "#identity/index.ts";
import type { CarrierDoor } from "#messaging/index.ts";
import type { Claim, Ctx, Database, InFlight, LimitStore, Tenant } from "#platform/index.ts";
import type { Metrics } from "./operations/metrics.ts";

/** What the surfaces need to be told; `app` reads it from the configuration. */
export interface HttpSettings {
  /** CIDR ranges of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** Host names that the server answers to besides those of its configured addresses. */
  allowedHosts: readonly string[];
  /** Whether browsers should use https for all subdomains too. */
  hstsSubdomains: boolean;
  perMinuteLive: number;
  perMinuteTest: number;
  /** Requests of one key in flight at once, per process. */
  burst: number;
  /** Changes of what the tiers allow on the messaging API, each written `tier.limit=number`. */
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
  /** Bearer token that /metrics asks of everyone but loopback; null: loopback alone. */
  metricsToken: string | null;
  /** Whether people may open an account themselves. */
  signUp: "invite" | "open";
  /** Attempts to sign in a minute. */
  signInLimits: SignInLimits;
  /** Work of hashing a password; less than usual is for tests. */
  passwordWork: PasswordWork;
  /** Every answer must fit the schema that documents it, or it becomes an error: for tests. */
  checkAnswers?: boolean;
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

/** What is known of the backups of this installation. */
export interface BackupHealth {
  backups: "nightly" | "off" | "elsewhere";
  backup_at: Date | null;
  backup_verified_at: Date | null;
  backup_failed_at: Date | null;
  backup_failure: string | null;
}

/** What `buildApp` is given: the process's context and database, and the settings of the surfaces. */
export interface HttpHouse {
  ctx: Ctx;
  database: Database;
  settings: HttpSettings;
  /** The built dashboard; without it, where `scripts/dashboard.mjs` leaves it. */
  dashboard?: URL;
  /** Where limits are counted; without it, in this process. Closed with the server. */
  limits?: LimitStore;
  /** Who takes what carriers send over HTTP; without it they are answered that there is no such address. */
  carriers?: readonly CarrierDoor[];
  /** Tells of the backups; without it the database is not Tillpost's own. */
  backups?: () => BackupHealth;
  /** True once the process was asked to stop: `/readyz` says so while everything else is still served. */
  draining?: boolean;
}

/** A server as a function that adds one route to it is given it. */
export type App = Parameters<FastifyPluginAsyncTypebox>[0];

/**
 * Scope of a route: a permission, or who can call it without one. `session`: members of a merchant in certain roles; `person`: anyone
 * signed in; `operator`: who runs the installation.
 */
export type RouteScope = string | "any_key" | "public" | "session" | "person" | "operator";

/** Limits of a public link route. */
export type LinkLimit = "read" | "initiate" | "proof" | "stream";

declare module "fastify" {
  interface FastifyInstance {
    house: HttpHouse;
    keys: KeyCache;
    signIn: SignIn;
    limits: LimitStore;
    inFlight: InFlight;
    /** Counts a request that no route takes; answers the refusal of a full window. */
    countUnrouted(exchange: { request: FastifyRequest; reply: FastifyReply }): Promise<Error | null>;
    metrics: Metrics;
  }
  interface FastifyRequest {
    /** The process's context, narrowed to this request. Set before the handler runs. */
    ctx: Ctx;
    /** Project and environment of the key. */
    tenant: Tenant;
    principal: Principal;
    /** The route's options, read once: the framework makes a new object each time it is asked. */
    route: { url?: string | undefined; config: FastifyContextConfig; schema?: FastifySchema | undefined };
    claim: Claim | null;
    /** The subject whose place in the in-flight ceiling this request holds. */
    inFlightOf: string | null;
    /** Milliseconds of the process's clock when the request came. */
    startedAtMs: number;
  }
  interface FastifySchema {
    /** Left out of the documents. */
    hide?: boolean;
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    deprecated?: boolean;
  }

  interface FastifyContextConfig {
    /** For the dashboard alone: described in the second document, which merchants do not build on. */
    internal?: boolean;
    scope?: RouteScope;
    /** Permissions that open the route as well; the handler says which one a request needs. */
    alsoScopes?: readonly RouteScope[];
    /** For `session`: the roles that may. */
    roles?: readonly Role[];
    /** People must have proved who they are within ten minutes; `live`: in the LIVE environment. */
    fresh?: boolean | "live";
    /** Refused in LIVE to an owner who was added to the merchant less than a day ago. */
    refusesNewOwners?: boolean;
    /** What the route makes belongs to the merchant, not to the active project. */
    ofMerchant?: boolean;
    /** The route moves LIVE money, so the merchant must be verified. */
    movesMoney?: boolean;
    /** The body is a stream of parts: the handler binds the idempotency key once it knows the file's hash. */
    upload?: boolean;
    /** This path is a deprecated alias; the text is its successor's template. */
    aliasOf?: string;
    linkLimit?: LinkLimit;
    /** A page that buyers are sent back to by others, which does something: like a form it ends on the payment's page, which says what went wrong. */
    isReturn?: boolean;
    /** Schema of the multipart form that the route takes beside JSON, without its file. */
    form?: unknown;
    /** Schema of the body for the document, where the handler checks more than the route's own schema says. */
    document?: unknown;
    /** Codes that the route's own deed can answer with, for the document. */
    errors?: readonly string[];
  }
}
