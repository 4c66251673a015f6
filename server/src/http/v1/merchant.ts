import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { moveHome } from "#guards/index.ts";
import { changeMerchant, findMerchant } from "#identity/index.ts";
import { platformErrors, type Tx } from "#platform/index.ts";
import { type App, leading, listOf, listQuery, pageErrors, readIfMatch, visitorOf } from "#requests/index.ts";
import { type AuditShape, type MerchantShape, merchantChangeIn, refTo, showMerchant } from "#schemas/index.ts";
import { auditFilters, sendAudit } from "../send-audit.ts";

const tags = ["Merchant"];
const merchant = { 200: refTo<MerchantShape>("Merchant") };

export const merchantRoutes: FastifyPluginAsyncTypebox = async (app) => {
  getRoute(app);
  changeRoute(app);
  auditRoute(app);
};

function getRoute(app: App): void {
  app.get(
    "/merchant",
    {
      config: { scope: "any_key" },
      schema: {
        operationId: "getMerchant",
        tags,
        summary: "Retrieve the merchant",
        description: "The account that the credentials belong to. Use it to check whether a key works.",
        response: merchant,
      },
    },
    async (request) => {
      const row = await findMerchant(request.ctx.db, request.principal.merchant_id);
      if (row === null) throw platformErrors.resource_missing();
      return showMerchant(row);
    },
  );
}

function changeRoute(app: App): void {
  app.patch(
    "/merchant",
    {
      config: { scope: "session", roles: leading, confirmed: true, ofMerchant: true, errors: ["version_conflict"] },
      schema: {
        operationId: "updateMerchant",
        tags,
        summary: "Update the merchant",
        description:
          "Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen. Projects that chose no countries for LIVE SMS and calls can reach `country`, so owners get an email when it changes.",
        body: merchantChangeIn,
        response: merchant,
      },
    },
    async (request) => {
      if (request.body.second_step_required === true && !visitorOf(request).has_second_step) {
        throw platformErrors.parameter_conflict({
          param: "second_step_required",
          reason: "second_step_first",
          message: "Turn on two-step sign-in for your own account first, under Your account.",
        });
      }
      const { ctx } = request;
      const { merchant_id } = request.principal;
      const move = (tx: Tx, country: string | null) => moveHome(tx, ctx, { merchant_id, country });
      return showMerchant(await changeMerchant(ctx, { ...request.body, merchant_id, if_version: readIfMatch(request), move }));
    },
  );
}

function auditRoute(app: App): void {
  app.get(
    "/merchant/audit-log",
    {
      config: { scope: "session", roles: leading, errors: pageErrors },
      schema: {
        operationId: "listAuditLog",
        tags,
        summary: "List or export the audit log",
        description: "Who did what in all projects of the merchant, newest first.",
        querystring: listQuery({ more: auditFilters }),
        response: { 200: listOf<AuditShape>("AuditEntry", "an entry's ID") },
      },
    },
    (request, reply) =>
      sendAudit(request, reply, { url: "/api/v1/merchant/audit-log", merchant_id: request.principal.merchant_id }) as never,
  );
}
