import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import {
  drawCode,
  type LoadedFiles,
  leadBuyer,
  type PageFile,
  readVisit,
  renderLeading,
  renderPayPage,
  renderReceipt,
  renderTroublePage,
  renderUnknownPage,
  takeBuyer,
  viewPaymentAt,
  visitCookie,
} from "#checkout/index.ts";
import { platformErrors } from "#platform/index.ts";
import { pathOf, type TakeRoom } from "#requests/index.ts";
import { backToPage, buyerOf, isBack, leadAway, pageRequest, sendPage } from "./pay-request.ts";

interface Linked {
  Params: { token: string };
}

const config = { scope: "public", linkLimit: "read" } as const;

/** The files of a payment link: the page, its receipt, its code as an image, its assets. */
export function pageRoutes(loaded: LoadedFiles, takeRoom: TakeRoom): FastifyPluginAsync {
  return async (app) => {
    app.get<Linked>("/pay/:token", { config, schema: { hide: true } }, async (request, reply) => {
      const { view, now } = await viewPaymentAt(request.ctx, { ...request.params, isBack: isBack(request) });
      return sendPage(reply, 200, renderPayPage(view, pageRequest(request, { locale: view.locale, files: loaded.addresses, now })));
    });

    app.get<Linked>("/pay/:token/receipt", { config, schema: { hide: true } }, async (request, reply) => {
      const { view, now } = await viewPaymentAt(request.ctx, request.params);
      if (!view.order.has_receipt) return backToPage(request, reply);
      return sendPage(reply, 200, renderReceipt(view, pageRequest(request, { locale: view.locale, files: loaded.addresses, now })));
    });

    app.get<Linked>("/pay/:token/go", { config, schema: { hide: true } }, async (request, reply) => {
      const { token } = request.params;
      const leading = await leadBuyer(request.ctx, { token, visit: readVisit(request.ctx, token, request.headers.cookie) });
      if (leading === null) return backToPage(request, reply);
      const { view, now, action } = leading;
      const page = pageRequest(request, { locale: view.locale, files: loaded.addresses, now });
      const formsTo = action.type === "form" ? new URL(action.action).origin : "";
      const framesTo = action.type === "wechat_jsapi" ? "weixin:" : "";
      return sendPage(reply, 200, { text: renderLeading(leading, page), formsTo, framesTo });
    });

    app.get<Linked>(
      "/pay/:token/buyer",
      { config: { ...config, linkLimit: "initiate", isReturn: true }, schema: { hide: true } },
      takeReturn,
    );

    for (const format of ["svg", "png"] as const) {
      app.get<Linked>(`/pay/:token/qr.${format}`, { config, schema: { hide: true } }, async (request, reply) => {
        const { token } = request.params;
        const picture = await drawCode(request.ctx, { token, format, room: (load) => takeRoom(reply, load) });
        return reply.type(picture.content_type).send(picture.bytes);
      });
    }

    serveFiles(app, loaded.files);
  };
}

/** A buyer returns from the provider that identified them. */
async function takeReturn(request: FastifyRequest<Linked>, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, headers, params } = request;
  const { token } = params;
  const query = Object.fromEntries(
    Object.entries(request.query as object).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
  const visit = readVisit(ctx, token, headers.cookie);
  const taken = await takeBuyer(ctx, { token, query, visit, buyer: (set) => buyerOf(request, set) });
  if (taken.visit !== visit) reply.header("set-cookie", visitCookie(ctx, token, taken.visit));
  return taken.continues ? leadAway(request, reply) : backToPage(request, reply, taken.problem ?? undefined);
}

/** The page for an unknown token, or for an error before anything could be shown. */
export function unknownPage(request: Parameters<typeof pageRequest>[0], loaded: LoadedFiles): string {
  return renderUnknownPage(pageRequest(request, { locale: "auto", files: loaded.addresses }));
}

interface Named {
  Params: { file: string };
}

/** The page of a link that can't be shown at the moment, with the reason and a retry. */
export function troublePage(request: Parameters<typeof pageRequest>[0], loaded: LoadedFiles, problem: string): string {
  return renderTroublePage({ ...pageRequest(request, { locale: "auto", files: loaded.addresses }), problem }, pathOf(request.url));
}

/**
 * Browsers cache a file indefinitely if its name contains its hash. Names of earlier versions are unknown, because their page is gone too.
 */
function serveFiles(app: FastifyInstance, files: readonly PageFile[]): void {
  const byName = new Map(files.map((file) => [file.name, file]));
  app.get<Named>("/static/:file", { config: { scope: "public" }, schema: { hide: true } }, async (request, reply) => {
    const file = byName.get(request.params.file);
    if (file === undefined) throw platformErrors.route_missing();
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : null;
    reply.headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }).type(file.content_type);
    if (encoding !== null) reply.header("content-encoding", encoding);
    return reply.send(encoding === "br" ? await file.brotli() : encoding === "gzip" ? await file.gzip() : file.plain);
  });
}
