import { expect, test, vi } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { keyedShops } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;
const { open, send } = keyedShops(app);

const refusing =
  "create function refuse() returns trigger language plpgsql as $$ begin raise 'no space left' using errcode = '53100'; end $$";
test.each([
  {
    why: "",
    broken: ["alter table gateway_callbacks rename to gateway_callbacks_away"],
    mended: "alter table gateway_callbacks_away rename to gateway_callbacks",
    logged: { level: "error", more: { err: expect.anything() } },
  },
  {
    why: " because the database has no space",
    broken: [refusing, "create trigger refuse before insert on gateway_callbacks for each row execute function refuse()"],
    mended: "drop function refuse cascade",
    logged: { level: "warn", more: {} },
  },
] as const)("a callback that can't be stored$why is repeated by its provider", async ({ broken, mended, logged }) => {
  const shop = await open();
  const { session } = await shop.started();
  gateway.pay(session.id);
  const callback = gateway.callback(session.id);
  const log = vi.spyOn(ctx.log, logged.level);
  for (const statement of broken) await app.asSuperuser((db) => runStatement(db, statement));
  const answer = await send(shop.credential, callback);
  expect([answer.status, answer.text, answer.headers["retry-after"]]).toEqual([503, "NO", "1"]);
  const about = { gateway: "testpay", credential: shop.credential, ...logged.more };
  expect(log).toHaveBeenCalledWith(about, expect.stringContaining("a callback couldn't be received"));
  await app.asSuperuser((db) => runStatement(db, mended));
  expect(await send(shop.credential, callback)).toMatchObject({ status: 200 });
});
