import type { FastifyInstance } from "fastify";
import { isLoopbackUrl } from "#platform/index.ts";
import type { HttpSettings } from "#requests/index.ts";
import { findBackupHealth } from "../../backup/state/find-health.ts";
import { listCarrierWebhooks } from "../../carriers/list-webhooks.ts";
import type { Settings } from "../../config.ts";
import { checkHttps, checkProxies } from "../../doctor/checks.ts";
import { checkOutbox } from "../../doctor/mail-checks.ts";
import { checkSender } from "../../doctor/sender-checks.ts";
import { openLimits, type Runtime } from "../../runtime/index.ts";
import { measureClock } from "./measure-clock.ts";
import { within } from "./within.ts";

const finishMs = 8_000;

/** Builds the HTTP server over a runtime and listens; logs what its settings lack. */
export async function openServer(runtime: Runtime): Promise<FastifyInstance> {
  const { buildApp } = await import("../../build-app.ts");
  const { settings } = runtime;
  const app = await buildApp({
    ctx: runtime.ctx,
    database: runtime.database,
    settings: httpSettings(settings),
    limits: await openLimits(runtime),
    carriers: listCarrierWebhooks(settings),
    backups: () => findBackupHealth(runtime),
  });
  measureClock(app.metrics.registry, runtime.clock);
  const warnings = [
    ...checkHttps(settings),
    ...checkProxies(settings),
    ...checkSender(settings),
    ...(isLoopbackUrl(settings.PUBLIC_URL) ? [] : checkOutbox(settings)),
  ];
  for (const { message, fix } of warnings) runtime.log.warn({ fix }, message);
  return listen(app, { setting: "PORT", port: settings.PORT, host: settings.HOST });
}

/** The server that a worker has for operators, or null if it isn't configured. */
export async function openWorkerServer(runtime: Runtime): Promise<FastifyInstance | null> {
  const { WORKER_PORT: port, WORKER_HOST: host } = runtime.settings;
  if (port === null) return null;
  const { buildWorkerApp } = await import("../../build-app.ts");
  const app = await buildWorkerApp({ ctx: runtime.ctx, database: runtime.database, settings: httpSettings(runtime.settings) });
  measureClock(app.metrics.registry, runtime.clock);
  return listen(app, { setting: "WORKER_PORT", port, host });
}

interface Place {
  /** The setting that chooses the port. */
  setting: string;
  port: number;
  host: string;
}

async function listen(app: FastifyInstance, place: Place): Promise<FastifyInstance> {
  try {
    await app.listen({ port: place.port, host: place.host });
  } catch (error) {
    await app.close();
    throw new Error(listenFault(error as NodeJS.ErrnoException, place), { cause: error });
  }
  return app;
}

/**
 * Reports on `/readyz` that it's ending and continues to serve for `DRAIN_SECONDS`; then accepts nothing new, lets running requests finish,
 * and cuts off the rest.
 */
export async function closeServer(app: FastifyInstance, settings: Pick<Settings, "DRAIN_SECONDS">, hurry: Promise<void>): Promise<void> {
  app.runtime.draining = true;
  await within(settings.DRAIN_SECONDS * 1_000, hurry);
  const closed = app.close();
  // A client keeps the connection of a completed request open.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), 50);
  await within(finishMs, Promise.race([closed, hurry]));
  clearInterval(sweeping);
  app.server.closeAllConnections();
  await closed;
}

function httpSettings(settings: Settings): HttpSettings {
  return {
    trustedProxies: settings.TRUSTED_PROXIES,
    allowedHosts: settings.ALLOWED_HOSTS,
    hstsSubdomains: settings.HSTS_SUBDOMAINS,
    perMinuteLive: settings.RATE_LIMIT_LIVE,
    perMinuteTest: settings.RATE_LIMIT_TEST,
    burst: settings.RATE_LIMIT_BURST,
    tierLimits: settings.RATE_LIMIT_TIERS,
    perMinuteUnauthenticated: settings.RATE_LIMIT_UNAUTHENTICATED,
    perMinuteLinkReads: settings.RATE_LIMIT_LINK_READS,
    perMinuteLinkReadsPerAddress: settings.RATE_LIMIT_LINK_READS_PER_ADDRESS,
    perMinuteLinkInitiate: settings.RATE_LIMIT_LINK_INITIATE,
    perHourLinkProofs: settings.RATE_LIMIT_LINK_PROOFS,
    streamsPerLink: settings.STREAMS_PER_LINK,
    streamsPerAddress: settings.STREAMS_PER_ADDRESS,
    flatPathsDeprecatedAt: new Date(settings.FLAT_PATHS_DEPRECATED_AT),
    flatPathsSunsetAt: new Date(settings.FLAT_PATHS_SUNSET_AT),
    metricsToken: settings.METRICS_TOKEN,
    signUp: settings.SIGNUP as HttpSettings["signUp"],
    signInLimits: {
      perPair: settings.RATE_LIMIT_SIGN_IN,
      perAccount: settings.RATE_LIMIT_SIGN_IN_PER_ACCOUNT,
      perAddress: settings.RATE_LIMIT_SIGN_IN_PER_ADDRESS,
    },
    passwordWork: "usual",
  };
}

function listenFault(error: NodeJS.ErrnoException, { setting, port, host }: Place): string {
  if (error.code === "EADDRINUSE") return `Port ${port} is used by another program. Choose another one: ${setting}=${port + 1}`;
  if (error.code === "EACCES") return `This user isn't allowed to open port ${port}. Choose one above 1023, for example ${setting}=8080.`;
  return `The server can't listen on ${host}, port ${port}: ${error.message}`;
}
