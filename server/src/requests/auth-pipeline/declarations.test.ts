import Fastify, { type FastifyContextConfig, type FastifyInstance } from "fastify";
import { expect, test } from "vitest";
import { requireDeclarations } from "./require-declarations.ts";

const start = async (method: "GET" | "POST", config: FastifyContextConfig | undefined) => {
  const app = Fastify() as unknown as FastifyInstance;
  requireDeclarations(app, ["any_key", "session", "person", "operator"]);
  app.route({ method, url: "/things", ...(config === undefined ? {} : { config }), handler: async () => ({}) });
  await app.ready();
  await app.close();
};

test.each<[what: string, method: "GET" | "POST", config: FastifyContextConfig | undefined]>([
  ["nothing at all", "GET", undefined],
  ["no scope", "POST", { movesMoney: true }],
  ["a scope that is none", "GET", { scope: "orders:burn" }],
  ["a scope that this surface does not have", "GET", { scope: "public" }],
  ["people without their roles", "GET", { scope: "session" }],
  ["a write of people without a word on freshness", "POST", { scope: "session", roles: ["owner"] }],
  ["a write of operators without a word on freshness", "POST", { scope: "operator" }],
])("a route that declares %s prevents the start", async (_what, method, config) => {
  await expect(start(method, config)).rejects.toThrow("/things does not declare");
});

test.each<[method: "GET" | "POST", config: FastifyContextConfig]>([
  ["POST", { scope: "orders:write" }],
  ["GET", { scope: "any_key" }],
  ["GET", { scope: "session", roles: ["owner"] }],
  ["POST", { scope: "session", roles: ["owner"], confirmed: true }],
  ["POST", { scope: "person", confirmed: false }],
])("a %s that declares %j starts", async (method, config) => {
  await expect(start(method, config)).resolves.toBeUndefined();
});
