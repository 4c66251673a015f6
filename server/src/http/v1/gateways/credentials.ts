import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Static } from "typebox";
import {
  changeCredential,
  checkCredential,
  createCredential,
  createDemo,
  findCredential,
  listCredentials,
  removeCredential,
} from "#gateways/index.ts";
import { type Ctx, cutPage, platformErrors, type Tenant } from "#platform/index.ts";
import {
  type App,
  building,
  cursorOf,
  listOf,
  listQuery,
  listUrl,
  looking,
  pageErrors,
  readIfMatch,
  readList,
  showList,
} from "#requests/index.ts";
import { credentialChangeIn, credentialIn, type GatewayCredentialShape, pathOf, refTo, showGatewayCredential } from "#schemas/index.ts";

const tags = ["Gateways"];
const params = pathOf("projectId", "slug", "id");
const path = "/projects/:projectId/gateways/:slug/credentials";
const answer = refTo<GatewayCredentialShape>("GatewayCredential");
const missing = ["gateway_not_found", "resource_missing"];
const refusals = ["gateway_not_found", "unsupported_currency", "url_not_allowed", "card_number_refused", "parameter_conflict"];
/** Anyone with an account's credentials has its payments, so no key may change them. */
const write = { scope: "session", roles: building, confirmed: true, refusesNewOwners: true } as const;

/** Accounts with payment providers. */
export const credentialRoutes: FastifyPluginAsyncTypebox = async (app) => {
  createRoute(app);
  listRoute(app);
  getRoute(app);
  changeRoute(app);
  removeRoute(app);
  checkRoute(app);
};

function createRoute(app: App): void {
  app.post(
    path,
    {
      config: { ...write, errors: [...refusals, "limit_reached", "environment_mismatch"] },
      schema: {
        operationId: "createGatewayCredential",
        tags,
        summary: "Add a gateway account",
        description:
          "The credentials are checked with the provider; if it refuses them, they aren't saved. If it can't be reached, the account is saved as `unchecked` and checked again automatically. A gateway can have up to 32 accounts in each environment. `demo` adds the gateway's demo account, or returns 200 and the existing one.",
        params: pathOf("projectId", "slug"),
        body: credentialIn,
        response: { 200: answer, 201: answer },
      },
    },
    async (request, reply) => {
      const { credential, created } = await addAccount(request.ctx, request.tenant, { ...request.body, gateway: request.params.slug });
      return reply.code(created ? 201 : 200).send(showGatewayCredential(request.ctx, credential));
    },
  );
}

/** An account with entered fields, or a demo account, which has none. */
async function addAccount(ctx: Ctx, tenant: Tenant, { fields, demo, ...given }: Static<typeof credentialIn> & { gateway: string }) {
  if (demo === true && fields !== undefined)
    throw platformErrors.parameter_conflict({ param: "fields", reason: "demo_account", message: "A demo account doesn't take fields." });
  if (demo === true) return createDemo(ctx, tenant, given);
  if (fields === undefined) throw platformErrors.parameter_missing({ param: "fields", reason: "required", message: "fields is required." });
  return { credential: await createCredential(ctx, tenant, { ...given, fields }), created: true };
}

function listRoute(app: App): void {
  app.get(
    path,
    {
      config: { scope: "session", roles: looking, errors: ["gateway_not_found", ...pageErrors] },
      schema: {
        operationId: "listGatewayCredentials",
        tags,
        summary: "List gateway accounts",
        description: "The accounts of one gateway in the request's environment.",
        params: pathOf("projectId", "slug"),
        querystring: listQuery({ created: false }),
        response: {
          200: listOf<GatewayCredentialShape>("GatewayCredential", "an account's ID", "in the order in which payments go to them"),
        },
      },
    },
    async (request) => {
      const { slug } = request.params;
      const { rows, ...page } = cutPage(await listCredentials(request.ctx, request.tenant, slug), cursorOf(readList(request.query)));
      const url = listUrl(request.tenant, `gateways/${slug}/credentials`);
      return showList({ url, data: rows.map((row) => showGatewayCredential(request.ctx, row)), ...page });
    },
  );
}

function getRoute(app: App): void {
  app.get(
    `${path}/:id`,
    {
      config: { scope: "session", roles: looking, errors: missing },
      schema: { operationId: "getGatewayCredential", tags, summary: "Retrieve a gateway account", params, response: { 200: answer } },
    },
    async ({ ctx, tenant, params: { slug, id } }) => showGatewayCredential(ctx, await findCredential(ctx, tenant, { gateway: slug, id })),
  );
}

function changeRoute(app: App): void {
  app.patch(
    `${path}/:id`,
    {
      config: { ...write, errors: [...refusals, "resource_missing", "version_conflict"] },
      schema: {
        operationId: "updateGatewayCredential",
        tags,
        summary: "Update a gateway account",
        description:
          "New `fields` are checked like those of a new account, and must belong to the same account with the provider. They're used immediately; callbacks signed with the previous ones are accepted for another day. Send the `version` you read as `If-Match` to avoid overwriting a change you haven't seen.",
        params,
        body: credentialChangeIn,
        response: { 200: answer },
      },
    },
    async (request) => {
      const { slug, id } = request.params;
      const change = { ...request.body, gateway: slug, id, if_version: readIfMatch(request) };
      return showGatewayCredential(request.ctx, await changeCredential(request.ctx, request.tenant, change));
    },
  );
}

function removeRoute(app: App): void {
  app.delete(
    `${path}/:id`,
    {
      config: { ...write, errors: [...missing, "version_conflict"] },
      schema: {
        operationId: "deleteGatewayCredential",
        tags,
        summary: "Remove a gateway account",
        description: "It takes no new payments. Payments already started on it continue, and its callbacks are still accepted.",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
      },
    },
    async (request) => {
      const { slug, id } = request.params;
      await removeCredential(request.ctx, request.tenant, { gateway: slug, id, if_version: readIfMatch(request) });
      return { id, object: "gateway_credential", deleted: true as const };
    },
  );
}

function checkRoute(app: App): void {
  app.post(
    `${path}/:id/check`,
    {
      config: { scope: "session", roles: building, confirmed: false, errors: missing },
      schema: {
        operationId: "checkGatewayCredential",
        tags,
        summary: "Check a gateway account",
        description: "Checks the credentials with the provider now, by a call that changes nothing. The response's `status` is the result.",
        params,
        response: { 200: answer },
      },
    },
    async ({ ctx, tenant, params: { slug, id } }) => showGatewayCredential(ctx, await checkCredential(ctx, tenant, { gateway: slug, id })),
  );
}
