import { addMember, createPerson, type Role } from "#identity/index.ts";
import { type Api, apiOf, type CallOptions } from "#test/support/app/api.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

/** Every test person's. */
export const testPassword = "correct horse battery";
const origin = "http://localhost:8080";

/** A signed-in person, as their browser sends requests. */
export interface Visitor {
  id: string;
  email: string;
  /** The session's cookie. */
  cookie: string;
  api: Api;
  /** Calls with the environment's header. */
  in(environment: "test" | "live"): Api;
}

/** The headers that every page of ours sends with a request. */
export function pageHeaders(cookie?: string, more: Record<string, string> = {}): Record<string, string> {
  return { origin, "sec-fetch-site": "same-origin", ...(cookie === undefined ? {} : { cookie }), ...more };
}

let count = 0;

/** Creates a person, of a merchant if one is given, and signs them in. */
export async function visitor(
  app: TestApp,
  given: { merchant_id?: string; role?: Role; is_operator?: boolean; from?: string } = {},
): Promise<Visitor> {
  count += 1;
  const email = `person${count}@example.com`;
  const person = await createPerson(app.ctx, {
    ...{ email, name: `Person ${count}`, password: testPassword, passwordWork: "light" },
    is_operator: given.is_operator ?? false,
  });
  if (given.merchant_id !== undefined)
    await addMember(app.ctx, { merchant_id: given.merchant_id, person_id: person.id, role: given.role ?? "owner" });
  const cookie = await signIn(app, email, given.from ?? `198.51.${count >> 8}.${count & 255}`);
  const apiWith = (more: Record<string, string>) => withHeaders(app, pageHeaders(cookie, { origin: app.ctx.publicUrl, ...more }));
  return { id: person.id, email, cookie, api: apiWith({}), in: (environment) => apiWith({ "tillpost-environment": environment }) };
}

/** Signs in and returns the cookies as a browser would send them back. */
export async function signIn(app: TestApp, email: string, from: string): Promise<string> {
  const reply = await apiOf(app.server, null).post(
    "/api/auth/sign-in/email",
    { email, password: testPassword },
    { headers: pageHeaders(undefined, { origin: app.ctx.publicUrl }), from },
  );
  if (reply.status !== 200) throw new Error(`not signed in: ${reply.text}`);
  return cookiesOf(reply.headers);
}

/** The Cookie header that results from these Set-Cookie headers. */
export function cookiesOf(headers: Record<string, unknown>): string {
  const set = [headers["set-cookie"] ?? []].flat() as string[];
  return set
    .filter((line) => !/max-age=0/i.test(line))
    .map((line) => line.split(";", 1).join(""))
    .join("; ");
}

/** An API client that sends these headers with each request. */
export function withHeaders(app: TestApp, headers: Record<string, string>): Api {
  const inner = apiOf(app.server, null);
  const dressed = (options: CallOptions = {}): CallOptions => ({ ...options, headers: { ...headers, ...options.headers } });
  return {
    call: (method, path, options) => inner.call(method, path, dressed(options)),
    get: (path, options) => inner.get(path, dressed(options)),
    post: (path, body, options) => inner.post(path, body, dressed(options)),
    put: (path, body, options) => inner.put(path, body, dressed(options)),
    delete: (path, options) => inner.delete(path, dressed(options)),
    upload: (path, file, fields, options) => inner.upload(path, file, fields, dressed(options)),
  };
}
