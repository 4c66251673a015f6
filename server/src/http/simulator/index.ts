import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { answerDemoPage, simulatorPolicy } from "#gateways/index.ts";
import { narrow, platformErrors } from "#platform/index.ts";
import { limitedAddress, writeLimitHeaders } from "#requests/index.ts";

const minuteMs = 60_000;
const formBytesMax = 4 * 1024;

interface Addressed {
  Params: { credentialId: string; "*": string };
}

/**
 * Pages of simulated providers: no credentials, no cookie, no script. They only exist for demo accounts, which are in TEST; every other
 * address is 404.
 */
export const simulatorPages: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string", bodyLimit: formBytesMax }, (_request, body, done) =>
    done(null, body),
  );
  const options = { bodyLimit: formBytesMax, config: { scope: "public" as const }, schema: { hide: true } };
  const path = "/simulator/:credentialId/*";
  app.get<Addressed>(path, options, (request, reply) => answer(app, { request, reply }, null));
  // No page offers a form without a choice.
  app.post<Addressed>(path, options, (request, reply) =>
    answer(app, { request, reply }, new URLSearchParams(String(request.body ?? "")).get("outcome") ?? ""),
  );
};

interface Exchange {
  request: FastifyRequest<Addressed>;
  reply: FastifyReply;
}

async function answer(app: FastifyInstance, { request, reply }: Exchange, outcome: string | null): Promise<FastifyReply> {
  await countAddress(app, { request, reply });
  const { credentialId } = request.params;
  const ctx = narrow(
    app.runtime.ctx,
    { actor: { kind: "buyer", id: "unknown" }, requestId: request.id, claim: null },
    app.runtime.database,
  );
  const url = new URL(request.url, "http://localhost");
  const path = url.pathname.slice(`/simulator/${credentialId}`.length);
  const acceptLanguage = request.headers["accept-language"];
  const page = await answerDemoPage(ctx, { credentialId, path, query: url.search, outcome, acceptLanguage });
  if (page === null) throw platformErrors.route_missing();
  if (page.location !== null) reply.header("location", page.location);
  return reply
    .code(page.status)
    .headers({ "content-security-policy": simulatorPolicy, "x-robots-tag": "noindex, nofollow" })
    .type(page.contentType)
    .send(page.text);
}

/** In the same window as pages of payment links, where buyers come from. */
async function countAddress(app: FastifyInstance, { request, reply }: Exchange): Promise<void> {
  const rule = { limit: app.runtime.settings.perMinuteLinkReadsPerAddress, windowMs: minuteMs };
  const taken = await app.limits.bucket("link address").take(limitedAddress(request.ip), rule, request.startedAtMs);
  writeLimitHeaders(reply, taken);
  if (!taken.allowed) throw platformErrors.rate_limited();
}
