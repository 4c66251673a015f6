import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as plugin from "wechatpay-axios-plugin";
import { newPayment, openShop, paidShop, wechatpay } from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { authorizationOf, cashierParams, isSigned, openResource } from "./signature.ts";

/**
 * Another implementation of the same specification, with which neither the adapter nor the simulator shares a line. Its types don't fit its
 * exports.
 */
interface Plugin {
  Rsa: { sign(message: string, key: string): string; verify(message: string, signature: string, key: string): boolean };
  Aes: {
    AesGcm: {
      encrypt(...given: [plain: string, key: string, iv: string, aad?: string]): string;
      decrypt(...given: [sealed: string, key: string, iv: string, aad?: string]): string;
    };
  };
  Formatter: { request(...lines: string[]): string; response(...lines: string[]): string; joinedByLineFeed(...lines: string[]): string };
  Wechatpay: new (config: object) => { chain(path: string): Client };
}
interface Client {
  get(config: object): Promise<{ status: number; data: Record<string, unknown> }>;
  post(body: object, config: object): Promise<{ status: number; data: Record<string, unknown> }>;
}
const { Rsa, Aes, Formatter, Wechatpay } = plugin as unknown as Plugin;

const { fields } = await openShop();
const field = (name: string) => fields[name] ?? "";
const own = createPublicKey(field("private_key")).export({ type: "spki", format: "pem" }).toString();
const at = "1795161600";
const nonce = "593BEC0C930BF1AFEB40B4A08C8FB242";

describe("what one side writes the other reads", () => {
  test("the signature of a request", () => {
    const target = "/v3/pay/transactions/out-trade-no/ps_1?mchid=1600000000";
    const merchant = { mchid: "1600000000", certificateSerial: "ABCDEF0123456789", privateKey: createPrivateKey(field("private_key")) };
    for (const body of ["", '{"description":"茶"}']) {
      const authorization = authorizationOf(merchant, { method: "POST", target, body, timestamp: at, nonce });
      const signature = /signature="([^"]+)"/.exec(authorization)?.[1] ?? "";
      expect(signature).toBe(Rsa.sign(Formatter.request("POST", target, at, nonce, body), field("private_key")));
      expect(Rsa.verify(Formatter.request("POST", target, at, nonce, body), signature, own)).toBe(true);
    }
  });

  test("the signature of a response, also of an empty one", () => {
    for (const body of ["", '{"code_url":"weixin://wxpay/bizpayurl?pr=茶"}']) {
      const signature = Rsa.sign(Formatter.response(at, nonce, body), field("private_key"));
      const proof = { timestamp: at, nonce, serial: "PUB_KEY_ID_1", signature };
      expect(isSigned(proof, body, createPublicKey(own))).toBe(true);
      expect(isSigned(proof, `${body} `, createPublicKey(own))).toBe(false);
    }
  });

  test("the parameters of WeChat's own browser", () => {
    const params = cashierParams("wx0123456789abcdef", {
      prepayId: "wx201410272009395522657a690389285100",
      timestamp: at,
      nonce,
      privateKey: createPrivateKey(field("private_key")),
    });
    const { appId = "", timeStamp = "", nonceStr = "", package: packed = "", paySign = "" } = params;
    expect(Rsa.verify(Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, packed), paySign, own)).toBe(true);
    expect(params).toMatchObject({ signType: "RSA", package: "prepay_id=wx201410272009395522657a690389285100" });
  });

  test("what is encrypted, with and without associated data", () => {
    const key = "a7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb";
    for (const associatedData of ["transaction", ""]) {
      const sealed = {
        ciphertext: Aes.AesGcm.encrypt('{"茶":1}', key, "uluk4a9R25RW", associatedData),
        nonce: "uluk4a9R25RW",
        associatedData,
      };
      expect(openResource(sealed, Buffer.from(key))).toBe('{"茶":1}');
      expect(openResource({ ...sealed, associatedData: "other" }, Buffer.from(key))).toBeNull();
    }
  });

  test("a callback of the simulator's", async () => {
    const shop = await paidShop();
    const { headers, body } = await wechatpay.callbackOf(shop.world, shop.request.reference);
    const [timestamp = "", once = "", signature = ""] = ["Timestamp", "Nonce", "Signature"].map((name) => headers[`Wechatpay-${name}`]);
    expect(Rsa.verify(Formatter.response(timestamp, once, body), signature, shop.fields["public_key"] ?? "")).toBe(true);
    const { resource } = JSON.parse(body);
    const plain = Aes.AesGcm.decrypt(resource.ciphertext, shop.fields["api_v3_key"] ?? "", resource.nonce, resource.associated_data);
    expect(JSON.parse(plain)).toMatchObject({ out_trade_no: shop.request.reference, trade_state: "SUCCESS", amount: { total: 8_800 } });
  });
});

afterEach(() => {
  vi.useRealTimers();
});

/** The simulator behind a port of this machine. */
async function listeningShop() {
  const shop = await openShop();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const forwarded = new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? "GET",
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    const answer = await wechatpay.handle(shop.world, forwarded);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { ...shop, server, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test("the simulator accepts another client's orders, returns them and closes them, and its responses verify", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T08:00:00Z") });
  const shop = await listeningShop();
  try {
    const {
      mchid,
      appid,
      certificate_serial: serial,
      private_key: privateKey,
      public_key_id: id = "",
      public_key: publicKey,
    } = shop.fields;
    const client = new Wechatpay({ mchid, serial, privateKey, certs: { [id]: publicKey }, baseURL: shop.baseURL, proxy: false });
    const config = { headers: { "Wechatpay-Serial": id } };
    const no = `oracle_${randomBytes(8).toString("hex")}`;
    const { notifyUrl } = newPayment(shop);
    const order = {
      mchid,
      appid,
      out_trade_no: no,
      description: "茶",
      notify_url: notifyUrl,
      time_expire: "2026-11-20T17:00:00+08:00",
      amount: { total: 1, currency: "CNY" },
    };
    const placed = await client.chain("v3/pay/transactions/native").post(order, config);
    expect(placed.data).toEqual({ code_url: expect.stringContaining("/bizpayurl?pr=") });
    const closing = await client.chain("v3/pay/transactions/out-trade-no/{no}/close").post({ mchid }, { ...config, no });
    expect(closing.status).toBe(204);
    const queried = await client.chain("v3/pay/transactions/out-trade-no/{no}").get({ ...config, no, params: { mchid } });
    expect(queried.data).toMatchObject({ out_trade_no: no, trade_state: "CLOSED" });
    await wechatpay.breakNext(shop.world, "bad_signature");
    await expect(client.chain("v3/pay/transactions/out-trade-no/{no}").get({ ...config, no, params: { mchid } })).rejects.toThrow(
      /signature|verify/i,
    );
  } finally {
    shop.server.close();
    shop.server.closeAllConnections();
  }
});
