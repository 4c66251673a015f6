import { createPerson } from "#identity/index.ts";
import { cookiesOf, pageHeaders, testPassword } from "../visitors.ts";
import { must } from "./skewed-load.ts";
import { type Answered, ask, checkNear, type SkewedWorld } from "./skewed-world.ts";

/** Somebody signs in at each process, is known at the others, sets up a second step and passes it. */
export async function checkSignIns(world: SkewedWorld): Promise<void> {
  for (const turn of world.programs.keys()) await checkPerson(world, turn);
}

async function checkPerson(world: SkewedWorld, turn: number): Promise<void> {
  const email = `person-${turn}@example.com`;
  await createPerson(world.home.ctx, { email, name: `Person ${turn}`, password: testPassword, passwordWork: "light", is_operator: false });
  const [page, others] = [pageAt(world, turn), [turn + 1, turn + 2]];
  const cookie = cookiesOf(setCookies(must(await page("sign-in/email", { email, password: testPassword }), 200, "a sign-in")));
  for (const other of others) if ((await pageAt(world, other, cookie)("sessions")).status !== 200) world.faults.add("a session of one process is none at another");
  const sessions = await pageAt(world, turn + 1, cookie)("sessions");
  checkNear(world.faults, "a session's created_at", sessions.body["data"]?.[0]?.created_at);
}

function pageAt(world: SkewedWorld, turn: number, cookie?: string) {
  const program = world.programs[turn % world.programs.length];
  const headers = { ...pageHeaders(cookie), origin: program?.url ?? "" };
  const folderOf = (path: string) => (path === "sessions" ? "/api/profile/sessions" : `/api/auth/${path}`);
  return (path: string, body?: object): Promise<Answered> => ask(world, turn, { path: folderOf(path), headers, ...(body === undefined ? {} : { body }) });
}

const setCookies = ({ headers }: Answered) => ({ "set-cookie": headers.getSetCookie() });
