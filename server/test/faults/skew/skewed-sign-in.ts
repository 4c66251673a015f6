import { createPerson } from "#identity/index.ts";
import { totp } from "#test/support/people/totp.ts";
import { cookiesOf, pageHeaders, testPassword } from "#test/support/people/visitors.ts";
import { must } from "./skewed-load.ts";
import { type Answered, ask, checkNear, type SkewedWorld } from "./skewed-world.ts";

/** A person signs in at each process, is recognized by the others, sets up two-step sign-in and passes it. */
export async function checkSignIns(world: SkewedWorld): Promise<void> {
  for (const turn of world.programs.keys()) await checkPerson(world, turn);
}

async function checkPerson(world: SkewedWorld, turn: number): Promise<void> {
  const email = `person-${turn}@example.com`;
  await createPerson(world.app.ctx, { email, name: `Person ${turn}`, password: testPassword, passwordWork: "light", is_operator: false });
  const [page, others] = [pageAt(world, turn), [turn + 1, turn + 2]];
  const cookie = cookiesOf(setCookies(must(await page("sign-in/email", { email, password: testPassword }), 200, "a sign-in")));
  for (const other of others)
    if ((await pageAt(world, other, cookie)("sessions")).status !== 200) world.faults.add("a session of one process is none at another");
  const sessions = await pageAt(world, turn + 1, cookie)("sessions");
  checkNear(world.faults, "a session's created_at", sessions.body.data?.[0]?.created_at);
  await checkSecondStep(world, turn, { cookie, email });
}

async function checkSecondStep(world: SkewedWorld, turn: number, { cookie, email }: { cookie: string; email: string }): Promise<void> {
  const setup = must(await pageAt(world, turn, cookie)("two-factor/enable", { password: testPassword }), 200, "a second step");
  const uri = String(setup.body.totp_uri);
  const code = totp(uri, new Date());
  const on = await pageAt(world, turn + 1, cookie)("two-factor/verify-totp", { code });
  if (on.status !== 200) world.faults.add(`a right code was refused: ${JSON.stringify(on.body)}`);
  const proved = must(
    await pageAt(world, turn + 2)("sign-in/email", { email, password: testPassword }),
    200,
    "a sign-in with a second step",
  );
  const passing = pageAt(world, turn, cookiesOf(setCookies(proved)));
  for (const ahead of world.aheadMs.filter((one) => one !== 0)) {
    const odd = await passing("two-factor/verify-totp", { code: totp(uri, new Date(Date.now() + ahead)) });
    if (odd.status === 200) world.faults.add("a code of another time was taken");
  }
  const again = await passing("two-factor/verify-totp", { code: totp(uri, new Date(Date.now() + 30_000)) });
  if (again.status !== 200) world.faults.add(`a right code was refused: ${JSON.stringify(again.body)}`);
}

function pageAt(world: SkewedWorld, turn: number, cookie?: string) {
  const program = world.programs[turn % world.programs.length];
  const headers = { ...pageHeaders(cookie), origin: program?.url ?? "" };
  const folderOf = (path: string) => (path === "sessions" ? "/api/profile/sessions" : `/api/auth/${path}`);
  return (path: string, body?: object): Promise<Answered> =>
    ask(world, turn, { path: folderOf(path), headers, ...(body === undefined ? {} : { body }) });
}

const setCookies = ({ headers }: Answered) => ({ "set-cookie": headers.getSetCookie() });
