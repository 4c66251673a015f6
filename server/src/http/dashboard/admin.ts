import { statfs } from "node:fs/promises";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { changeMerchant, findMerchantOverview, listMerchants, setMerchantVerification } from "#identity/index.ts";
import { findProofOwner, listWaitingProofs, orderView } from "#orders/index.ts";
import { cutPage } from "#platform/index.ts";
import { listProjects } from "#projects/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import { type App, cursorOf, listOf, listQuery, pageErrors, readIfMatch, readList, showList } from "#requests/index.ts";
import {
  type AuditShape,
  type HealthShape,
  type MerchantOverviewShape,
  type OrderShape,
  type ProjectShape,
  pathOf,
  readReview,
  refTo,
  rejectionIn,
  reviewIn,
  showMerchantOverview,
  showProject,
  showWaitingProof,
  tierIn,
  verificationStatuses,
  type WaitingProofShape,
} from "#schemas/index.ts";
import { auditFilters, sendAudit } from "../send-audit.ts";
import { findDatabaseSize, listQueues } from "./sql.ts";

const tags = ["Operators"];
const params = pathOf("id");
const merchant = { 200: refTo<MerchantOverviewShape>("MerchantOverview") };
const read = { scope: "operator" } as const;
const write = { scope: "operator", confirmed: true, errors: ["resource_missing"] } as const;

/** What operators can see and decide, across all merchants. */
export const adminRoutes: FastifyPluginAsyncTypebox = async (app) => {
  merchantsRoute(app);
  merchantRoute(app);
  merchantProjectsRoute(app);
  verifyRoute(app);
  rejectRoute(app);
  tierRoute(app);
  proofsRoute(app);
  reviewRoute(app);
  healthRoute(app);
  auditRoute(app);
};

function merchantsRoute(app: App): void {
  app.get(
    "/merchants",
    {
      config: { ...read, errors: pageErrors },
      schema: {
        operationId: "listMerchants",
        tags,
        summary: "List merchants",
        querystring: listQuery({ created: false, status: verificationStatuses, q: true }),
        response: { 200: listOf<MerchantOverviewShape>("MerchantOverview", "a merchant's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listMerchants(request.ctx, { ...cursorOf(query), status: query.status, q: query.q });
      return showList({ url: "/api/admin/merchants", data: rows.map(showMerchantOverview), ...page });
    },
  );
}

function merchantRoute(app: App): void {
  app.get(
    "/merchants/:id",
    {
      config: { ...read, errors: ["resource_missing"] },
      schema: { operationId: "getMerchantOverview", tags, summary: "Retrieve any merchant", params, response: merchant },
    },
    async (request) => showMerchantOverview(await findMerchantOverview(request.ctx, request.params.id)),
  );
}

function merchantProjectsRoute(app: App): void {
  app.get(
    "/merchants/:id/projects",
    {
      config: { ...read, errors: [...pageErrors, "resource_missing"] },
      schema: {
        operationId: "listProjectsOfMerchant",
        tags,
        summary: "List any merchant's projects",
        params,
        querystring: listQuery({ created: false }),
        response: { 200: listOf<ProjectShape>("Project", "a project's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { id } = await findMerchantOverview(request.ctx, request.params.id);
      const { rows, ...page } = cutPage(await listProjects(request.ctx.db, id), cursorOf(query));
      return showList({ url: `/api/admin/merchants/${id}/projects`, data: rows.map(showProject), ...page });
    },
  );
}

function verifyRoute(app: App): void {
  app.post(
    "/merchants/:id/verify",
    {
      config: write,
      schema: {
        operationId: "verifyMerchant",
        tags,
        summary: "Verify a merchant",
        description: "LIVE orders and messages work within ten seconds.",
        params,
        response: merchant,
      },
    },
    async (request) => {
      const { id } = await setMerchantVerification(request.ctx, { merchant_id: request.params.id, status: "verified" });
      app.keys.evictMerchant(id);
      return showMerchantOverview(await findMerchantOverview(request.ctx, id));
    },
  );
}

function rejectRoute(app: App): void {
  app.post(
    "/merchants/:id/reject",
    {
      config: write,
      schema: {
        operationId: "rejectMerchant",
        tags,
        summary: "Reject a merchant",
        description: "Its LIVE environment accepts no new money. The owners get an email with the reason.",
        params,
        body: rejectionIn,
        response: merchant,
      },
    },
    async (request) => {
      const { id } = await setMerchantVerification(request.ctx, {
        merchant_id: request.params.id,
        status: "rejected",
        reason: request.body.reason,
      });
      app.keys.evictMerchant(id);
      return showMerchantOverview(await findMerchantOverview(request.ctx, id));
    },
  );
}

function tierRoute(app: App): void {
  app.patch(
    "/merchants/:id",
    {
      config: { ...write, errors: ["resource_missing", "version_conflict"] },
      schema: {
        operationId: "setMessagingTier",
        tags,
        summary: "Set a merchant's messaging tier",
        params,
        body: tierIn,
        response: merchant,
      },
    },
    async (request) => {
      const { id } = await changeMerchant(request.ctx, {
        merchant_id: request.params.id,
        if_version: readIfMatch(request),
        ...request.body,
      });
      app.keys.evictMerchant(id);
      return showMerchantOverview(await findMerchantOverview(request.ctx, id));
    },
  );
}

function proofsRoute(app: App): void {
  app.get(
    "/proofs",
    {
      config: { ...read, errors: pageErrors },
      schema: {
        operationId: "listWaitingProofs",
        tags,
        summary: "List proofs of all merchants",
        description: "Proofs that haven't been reviewed yet, oldest first.",
        querystring: listQuery({ created: false }),
        response: { 200: listOf<WaitingProofShape>("WaitingProof", "a proof's ID", "oldest first") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listWaitingProofs(request.ctx, cursorOf(query));
      const data = rows.map((row) => showWaitingProof(request.ctx, row));
      return showList({ url: "/api/admin/proofs", data, ...page });
    },
  );
}

function reviewRoute(app: App): void {
  app.post(
    "/proofs/:id/review",
    {
      config: {
        ...write,
        errors: [
          "resource_missing",
          "review_exists",
          "order_already_paid",
          "order_state_conflict",
          "shortfall_unconfirmed",
          "parameter_conflict",
        ],
      },
      schema: {
        operationId: "reviewProof",
        tags,
        summary: "Approve or reject a merchant's proof",
        params,
        body: reviewIn,
        response: { 200: refTo<OrderShape>("Order") },
      },
    },
    async (request) => {
      const { tenant, order_id } = await findProofOwner(request.ctx, request.params.id);
      const decision = { ...readReview(request.body), order_id, voucher_id: request.params.id };
      return orderView(request.ctx, await reviewOrder(request.ctx, tenant, decision));
    },
  );
}

/** The data for a database that Tillpost doesn't back up. */
const notOurs = { backups: "elsewhere" as const, backup_at: null, backup_verified_at: null, backup_failed_at: null, backup_failure: null };

function healthRoute(app: App): void {
  app.get(
    "/health",
    {
      config: read,
      schema: {
        operationId: "getSystemHealth",
        tags,
        summary: "Retrieve system health",
        response: { 200: refTo<HealthShape>("SystemHealth") },
      },
    },
    async (request) => {
      const at = request.ctx.now();
      const [queues, database] = [await listQueues(request.ctx.db), await findDatabaseSize(request.ctx.db)];
      const disk = await statfs(process.cwd()).catch(() => null);
      return {
        object: "system_health" as const,
        ...{ at, queues, database_bytes: database.bytes, database_connections: database.connections },
        disk_free_bytes: disk === null ? null : disk.bavail * disk.bsize,
        memory_bytes: process.memoryUsage.rss(),
        mail_transport: request.ctx.mail.transport,
        ...(app.runtime.backups?.() ?? notOurs),
        command_prefix: request.ctx.howToRun("").trim(),
        uptime_seconds: Math.floor(process.uptime()),
        version: process.version,
      };
    },
  );
}

function auditRoute(app: App): void {
  app.get(
    "/audit-log",
    {
      config: { ...read, errors: pageErrors },
      schema: {
        operationId: "listWholeAuditLog",
        tags,
        summary: "List or export the audit log of all merchants",
        querystring: listQuery({ more: auditFilters }),
        response: { 200: listOf<AuditShape>("AuditEntry", "an entry's ID") },
      },
    },
    (request, reply) => sendAudit(request, reply, { url: "/api/admin/audit-log", merchant_id: null }) as never,
  );
}
