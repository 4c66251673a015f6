import { expect, test } from "vitest";
import { createCall } from "#calls/index.ts";
import { keepRecording } from "#calls/recording/keep-recording.ts";
import { newId, openDatabase, requireSigned } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const shop = await app.tenant();
const api = app.api(shop.key);

interface AddressRefusal {
  name: string;
  status: number;
  code: string;
  given?: (address: URL) => void | Promise<void>;
  path(address: URL): string;
}

const other = (text: string) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`;

/** What every signed address is refused for. `elsewhere` is the path of another object of the kind. */
const forged = (elsewhere: string): AddressRefusal[] => [
  { name: "no signature", status: 400, code: "parameter_missing", path: ({ pathname }) => pathname },
  { name: "another signature", status: 403, code: "permission_denied", path: ({ pathname, search }) => pathname + other(search) },
  {
    name: "another time",
    status: 403,
    code: "permission_denied",
    path: ({ pathname, search }) => pathname + search.replace(/expires=(\d+)/, (_all, at: string) => `expires=${Number(at) + 60}`),
  },
  { name: "the address of another object", status: 403, code: "permission_denied", path: ({ search }) => elsewhere + search },
  {
    name: "an outlived signature",
    status: 403,
    code: "permission_denied",
    given: () => app.clock.advance(15 * 60_000 + 1_000),
    path: ({ pathname, search }) => pathname + search,
  },
];

function addressRefusals(route: string, make: () => Promise<URL>, rows: AddressRefusal[]): void {
  test.each(rows)(`${route} refuses $name with $status $code`, async ({ status, code, given, path }) => {
    const address = await make();
    expect((await app.api().get(address.pathname + address.search)).status).toBe(200);
    await given?.(address);
    const answer = await app.api().get(path(address));
    expect([answer.status, answer.body?.error?.code], answer.text).toEqual([status, code]);
  });
}

async function pictureAddress(): Promise<URL> {
  const { body } = await api.upload(`/api/v1/projects/${shop.project_id}/assets/upload`, await photo(32, 32), { purpose: "payment_proof" });
  return new URL(body.url as string);
}

async function recordingAddress(): Promise<URL> {
  const input = {
    from: "+14155552670",
    to: "+15005552000",
    text: "Hello",
    scheduled_at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
  };
  const call = await createCall(app.ctx, shop, { tier: "pro", call: input });
  await keepRecording(app.ctx, call, { source: "verb", samples: Buffer.alloc(800) });
  return new URL((await api.get(`/v1/calls/${call.id}/recordings`)).body.data[0].url as string);
}

test("an address with a wrong signature is refused without a query", async () => {
  const closed = openDatabase({ url: app.url, max: 1 });
  await closed.close();
  const given = { purpose: "asset address", id: newId("ast"), expires: "99999999999", signature: "forged" } as const;
  await expect(requireSigned({ ...app.ctx, db: closed.db }, given)).rejects.toMatchObject({ code: "permission_denied" });
});

addressRefusals("GET /assets/:id", pictureAddress, forged(`/assets/${newId("ast")}`));

addressRefusals("GET /recordings/:id", recordingAddress, [
  ...forged(`/recordings/${newId("rec")}`),
  {
    name: "a recording that was deleted",
    status: 404,
    code: "resource_missing",
    given: async ({ pathname }) => {
      const id = pathname.split("/").at(-1);
      const { data } = (await api.get("/v1/calls")).body;
      for (const call of data) await api.call("DELETE", `/v1/calls/${call.id}/recordings/${id}`);
    },
    path: ({ pathname, search }) => pathname + search,
  },
]);
