import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { insertManySignIns } from "#test/support/people/many-sign-ins.sql.ts";
import { type Visitor, visitor } from "#test/support/people/visitors.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 10_000 } });
const [sessions, passkeys] = [200, 50];

async function busyPerson(): Promise<Visitor> {
  const { merchant_id } = await app.tenant();
  const person = await visitor(app, { merchant_id, role: "owner" });
  await insertManySignIns(app.ctx.db, person.id, { sessions, passkeys, now: app.ctx.now() });
  return person;
}

async function idsOf(person: Visitor, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = "", page = 0; page < 100; page += 1) {
    const { body } = await person.api.get(`${path}?limit=30${after}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.has_more) return ids;
    after = `&starting_after=${body.next_cursor}`;
  }
  throw new Error(`${path} has no last page`);
}

test("page after page shows each place of a sign-in and each passkey once, including the oldest, newest first", async () => {
  const person = await busyPerson();
  for (const [path, count] of [
    ["/api/profile/sessions", sessions + 1],
    ["/api/profile/passkeys", passkeys],
  ] as const) {
    const ids = await idsOf(person, path);
    expect(new Set(ids).size).toBe(count);
    expect(ids).toEqual(ids.toSorted().reverse());
    const [third, fourth, fifth] = ids.slice(2, 5);
    const back = await person.api.get(`${path}?limit=2&ending_before=${fifth}`);
    expect(back.body).toMatchObject({ data: [{ id: third }, { id: fourth }], has_more: true, next_cursor: third });
  }
});
