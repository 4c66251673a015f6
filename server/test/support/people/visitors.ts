import { addMember, createPerson, type Role } from "#identity/index.ts";
import { type Api, apiOf, type CallOptions } from "#test/support/house/api.ts";
import type { House } from "#test/support/house/house.ts";

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

/** What every page of ours sends with a request. */
export function pageHeaders(cookie?: string, more: Record<string, string> = {}): Record<string, string> {
  return { origin, "sec-fetch-site": "same-origin", ...(cookie === undefined ? {} : { cookie }), ...more };
}

let count = 0;

/** Makes a person, of a merchant when one is named, and signs them in. */
export async function visitor(home: House, given: { merchant_id?: string; role?: Role; is_operator?: boolean; from?: string } = {}): Promise<Visitor> {
  count += 1;
  const email = `person${count}@example.com`;
  const person = await createPerson(home.ctx, {
    ...{ email, name: `Person ${count}`, password: testPassword, passwordWork: "light" },
    is_operator: given.is_operator ?? false,
  });
  if (given.merchant_id !== undefined) await addMember(home.ctx, { merchant_id: given.merchant_id, person_id: person.id, role: given.role ?? "owner" });
  const cookie = await signIn(home, email, given.from ?? `198.51.${count >> 8}.${count & 255}`);
  const apiWith = (more: Record<string, string>) => withHeaders(home, pageHeaders(cookie, { origin: home.ctx.publicUrl, ...more }));
  return { id: person.id, email, cookie, api: apiWith({}), in: (environment) => apiWith({ "tillpost-environment": environment }) };
}

/** Signs in and answers the cookies as a browser would send them back. */
export async function signIn(home: House, email: string, from: string): Promise<string> {
  const reply = await apiOf(home.app, null).post(
    "/api/auth/sign-in/email",
    { email, password: testPassword },
    { headers: pageHeaders(undefined, { origin: home.ctx.publicUrl }), from },
  );
  if (reply.status !== 200) throw new Error(`not signed in: ${reply.text}`);
  return cookiesOf(reply.headers);
}

/** The Cookie header that answers to these Set-Cookie headers. */
export function cookiesOf(headers: Record<string, unknown>): string {
  const set = [headers["set-cookie"] ?? []].flat() as string[];
  return set
    .filter((line) => !/max-age=0/i.test(line))
    .map((line) => line.split(";", 1).join(""))
    .join("; ");
}

/** An API client that sends these headers with each request. */
export function withHeaders(home: House, headers: Record<string, string>): Api {
  const inner = apiOf(home.app, null);
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
