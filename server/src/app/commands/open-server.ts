import type { FastifyInstance } from "fastify";
import type { HttpSettings } from "#http/index.ts";
import type { Settings } from "../config.ts";
import { type House, openLimits } from "../house/index.ts";

const drainMs = 8_000;

/** Builds the HTTP server over a house and listens. */
export async function openServer(house: House): Promise<FastifyInstance> {
  const { buildApp } = await import("../build-app.ts");
  const { settings } = house;
  const app = await buildApp({ ctx: house.ctx, database: house.database, settings: httpSettings(settings), limits: await openLimits(house) });
  try {
    await app.listen({ port: settings.PORT, host: settings.HOST });
  } catch (error) {
    await app.close();
    throw new Error(listenFault(error as NodeJS.ErrnoException, settings), { cause: error });
  }
  return app;
}

/** Accepts nothing new, lets running requests finish for a while, then cuts what is left. */
export async function closeServer(app: FastifyInstance, hurry: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  const closed = app.close();
  await Promise.race([closed, patience, hurry]);
  clearTimeout(timer);
  app.server.closeAllConnections();
  await closed;
}

function httpSettings(settings: Settings): HttpSettings {
  return {
    trustedProxies: settings.TRUSTED_PROXIES,
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

function listenFault(error: NodeJS.ErrnoException, { HOST, PORT }: Settings): string {
  if (error.code === "EADDRINUSE") return `Port ${PORT} is taken by another program. Choose another one: PORT=${PORT + 1}`;
  if (error.code === "EACCES") return `This user may not open port ${PORT}. Choose one above 1023, for example PORT=8080.`;
  return `The server cannot listen on ${HOST}, port ${PORT}: ${error.message}`;
}
