import { AppError, atNow, type Ctx, createInFlight, platformErrors } from "#platform/index.ts";
import { takeCode, takeLink } from "../attempts/limit-attempts.ts";
import { type ChosenPassword, refuseWeakPassword } from "../password/refuse-weak-password.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { deleteHandedOut, deleteSessions, findPerson } from "../people/sql.ts";
import { keepCookie, signInSecrets } from "./cookies/cookie.ts";
import { knownDeviceCookie } from "./cookies/known-device.ts";
import { addressHeader, type LibraryOptions, openLibrary } from "./library.ts";
import { noteDevice } from "./note-device.ts";
import { refusalOf } from "./refusals.ts";
import { beginUnit, runInUnit, type Unit } from "./unit.ts";

/** One call to `/api/auth`. */
export interface SignInCall {
  path: string;
  method?: "GET" | "POST";
  body?: Record<string, unknown>;
  query?: Record<string, string>;
  /** The request's Cookie header. */
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
  /** The action in the audit log if it succeeds; null if nothing was achieved yet. */
  audit?(answer: Record<string, unknown>): string | null;
  /** For a sign-up: the name of the new account's merchant. */
  merchantName?: string;
  /** For `/open-session`: the person whose identity our own code has checked. */
  openFor?: string;
  /** A password that the call sets. */
  chosen?: ChosenPassword;
  /** The request's field for the person's current password, if it isn't `password`. */
  passwordParam?: string;
  /** An authenticator's code, which can be used once. */
  code?: string;
  /** The token of an emailed link, which can be used once. */
  link?: string;
  /** Whose action it is, if the response doesn't say. */
  personId?: string;
}

export interface SignInAnswer {
  body: Record<string, unknown>;
  /** Set-Cookie headers. */
  cookies: string[];
}

/** Access to the sign-in library: each call is one transaction, including its audit row. */
export interface SignIn {
  call(ctx: Ctx, given: SignInCall): Promise<SignInAnswer>;
}

const atOnce = 4;
/** Actions that invalidate all earlier links, open second steps and trusted browsers. */
const endsTrust: ReadonlySet<string> = new Set(["person.password_changed", "person.two_factor_disabled"]);
/** Actions that end in a new session. */
const signIns: ReadonlySet<string> = new Set(["person.signed_in", "person.second_step_passed", "person.recovery_code_used"]);

/** `machineNow` is the clock that the library reads itself. A refused call keeps what it counted (failed codes); a fault keeps nothing. */
export function createSignIn(base: Ctx, options: LibraryOptions & { machineNow: () => Date }): SignIn {
  let opened: { secrets: string; library: ReturnType<typeof openLibrary> } | undefined;
  const inFlight = createInFlight({ waitMs: 5_000, depthFactor: 10 });
  return {
    async call(ctx, given) {
      if (given.chosen !== undefined) refuseWeakPassword(given.chosen);
      // It reads its secrets when it is opened; another one is opened when they change.
      const secrets = signInSecrets(base.masterKeys)
        .map(({ version }) => version)
        .join();
      if (opened?.secrets !== secrets) opened = { secrets, library: openLibrary(base, options) };
      const handle = await opened.library;
      // Each guess occupies a whole core for a while and holds a connection: a flood of them must not stop the API.
      if (!(await inFlight.enter("sign-in", atOnce))) throw platformErrors.concurrency_limited({ headers: { "retry-after": "1" } });
      try {
        const answer = await ctx.transactUnclaimed(async (tx) => {
          // The library reads this machine's clock: what it stores and compares is converted to the shared one.
          const pinned = await atNow(ctx, tx);
          const aheadMs = pinned.now().getTime() - options.machineNow().getTime();
          const unit = beginUnit({
            tx,
            ctx: pinned,
            aheadMs,
            merchantName: given.merchantName ?? null,
            openFor: given.openFor ?? null,
          });
          const read = await readAnswer(await runInUnit(unit, () => handle(requestOf(base.publicUrl, given))), given.passwordParam);
          if (read instanceof AppError) return read;
          // Thrown inside the transaction, so that the link can be used again with a better password.
          if (given.chosen !== undefined && unit.resetOf !== null)
            refuseWeakPassword({ ...given.chosen, about: [unit.resetOf.email, unit.resetOf.name] });
          const person_id = given.personId ?? personIn(read.body);
          if (given.link !== undefined) await takeLink(tx, given.link);
          if (given.code !== undefined && person_id !== null) await takeCode(tx, { person_id, code: given.code });
          const known = await record(unit, given, read.body);
          const cookies = read.cookies.map((cookie) => keepCookie(cookie, { publicUrl: base.publicUrl, staysBrief: unit.staysBrief }));
          return { ...read, cookies: known === null ? cookies : [...cookies, known] };
        });
        if (answer instanceof AppError) throw answer;
        return answer;
      } finally {
        inFlight.leave("sign-in");
      }
    },
  };
}

/**
 * Writes the action's own rows in its transaction: the audit log, and a notice to the person if they should know. Returns the cookie of a
 * known device after a sign-in.
 */
async function record({ tx, ctx, opened }: Unit, given: SignInCall, answer: Record<string, unknown>): Promise<string | null> {
  const action = given.audit?.(answer) ?? null;
  const person_id = given.personId ?? personIn(answer);
  if (action === null || person_id === null) return null;
  if (endsTrust.has(action)) await deleteHandedOut(tx, person_id);
  // From now on, an open session counts as one that passed both steps. The others only passed the first.
  if (action === "person.two_factor_enabled") await deleteSessions(tx, person_id, opened);
  await recordPersonAction(tx, ctx, { person_id, action, detail: { address: given.address }, notify: true });
  if (!signIns.has(action)) return null;
  await noteDevice(tx, ctx, { ...given, person_id });
  const person = await findPerson(tx, person_id);
  return person === null ? null : knownDeviceCookie(ctx, person.email);
}

function requestOf(publicUrl: string, { path, method = "POST", body, query, cookie, userAgent, address }: SignInCall): Request {
  const url = new URL(`${publicUrl}/api/auth${path}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  // Our own gate has checked the request's origin.
  const headers = new Headers({ origin: url.origin, [addressHeader]: address });
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (userAgent !== undefined) headers.set("user-agent", userAgent.slice(0, 300));
  if (method === "GET") return new Request(url, { headers });
  headers.set("content-type", "application/json");
  return new Request(url, { method, headers, body: JSON.stringify(body ?? {}) });
}

/** The response, or the refusal as our own error. A fault is thrown, so that nothing of the call is stored. */
async function readAnswer(response: Response, passwordParam: string | undefined): Promise<SignInAnswer | AppError> {
  const text = await response.text();
  const body = text === "" ? {} : ((JSON.parse(text) as Record<string, unknown> | null) ?? {});
  if (response.ok) return { body, cookies: response.headers.getSetCookie() };
  if (response.status >= 500) throw new Error(`sign-in: the library answered ${response.status} ${text.slice(0, 300)}`);
  return refusalOf(response.status, body, passwordParam);
}

function personIn(body: Record<string, unknown>): string | null {
  const user = body["user"] as { id?: unknown } | null | undefined;
  return typeof user?.id === "string" ? user.id : null;
}
