import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { createDomain, deleteDomain, findDomain, listDomains, verifyDomain } from "#email/index.ts";
import { type App, cursorOf, filtersOf, listOf, pageErrors, showList } from "#requests/index.ts";
import { type DomainShape, domainIn, domainStatuses, pathOf, refTo, showDomain, strict } from "#schemas/index.ts";
import { messageListQuery, readMessageList } from "./message-lists.ts";

const tags = ["Domains"];
const params = pathOf("id");
const one = { 200: refTo<DomainShape>("Domain") };

/** Domains to send from. */
export const domainRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postDomain(app);
  listRoute(app);
  getDomain(app);
  verify(app);
  remove(app);
};

function postDomain(app: App): void {
  app.post(
    "/domains",
    {
      config: { scope: "domains:write", errors: ["limit_reached"] },
      schema: {
        operationId: "createDomain",
        tags,
        summary: "Add a domain",
        description:
          "Creates a DKIM key for the domain and returns the DNS records to publish. They're checked automatically, and whenever you call `verify`.",
        body: domainIn,
        response: { 201: refTo<DomainShape>("Domain") },
      },
    },
    async (request, reply) => reply.code(201).send(showDomain(await createDomain(request.ctx, request.tenant, request.body))),
  );
}

function listRoute(app: App): void {
  app.get(
    "/domains",
    {
      config: { scope: "domains:read", errors: pageErrors },
      schema: {
        operationId: "listDomains",
        tags,
        summary: "List domains",
        querystring: messageListQuery({ status: domainStatuses }),
        response: { 200: listOf<DomainShape>("Domain", "a domain's ID") },
      },
    },
    async (request) => {
      const query = readMessageList(request.query);
      const { rows, ...page } = await listDomains(request.ctx, request.tenant, { ...cursorOf(query), filters: filtersOf(query) });
      return showList({ url: "/v1/domains", data: rows.map(showDomain), ...page });
    },
  );
}

function getDomain(app: App): void {
  app.get(
    "/domains/:id",
    {
      config: { scope: "domains:read", errors: ["resource_missing"] },
      schema: { operationId: "getDomain", tags, summary: "Retrieve a domain", params, response: one },
    },
    async (request) => showDomain(await findDomain(request.ctx, request.tenant, request.params.id)),
  );
}

function verify(app: App): void {
  app.post(
    "/domains/:id/verify",
    {
      config: { scope: "domains:write", errors: ["resource_missing"] },
      schema: {
        operationId: "verifyDomain",
        tags,
        summary: "Verify a domain",
        description: "Checks the domain's DNS records now and returns the result for each.",
        params,
        body: strict({}),
        response: one,
      },
    },
    async (request) => showDomain(await verifyDomain(request.ctx, request.tenant, { id: request.params.id })),
  );
}

function remove(app: App): void {
  app.delete(
    "/domains/:id",
    {
      config: { scope: "domains:write", errors: ["resource_missing"] },
      schema: {
        operationId: "deleteDomain",
        tags,
        summary: "Delete a domain",
        description: "Deletes its DKIM key too; you can no longer send from it.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { id } = await deleteDomain(request.ctx, request.tenant, request.params.id);
      return { id, object: "domain", deleted: true as const };
    },
  );
}
