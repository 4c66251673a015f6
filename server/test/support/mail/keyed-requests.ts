import { type Claim, type Ctx, fingerprintOf, narrow, type Tenant } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

/** Contexts of requests to send an email that have an Idempotency-Key. */
export const keyedRequests =
  ({ ctx, database }: Pick<TestApp, "ctx" | "database">) =>
  (key: string, body: object, of: Tenant): Ctx => {
    const claim: Claim = { ...of, method: "POST", path: "/v1/emails", key, fingerprint: fingerprintOf(body), replayed: false, used: false };
    return narrow(ctx, { claim }, database);
  };
