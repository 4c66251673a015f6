import type { SimulatorWorld } from "#gateways/index.ts";
import { type Account, Refused } from "./shapes.ts";

const tokenSeconds = 32_400;

/** Returns the account of a name, created on first use. */
export async function openAccount(world: SimulatorWorld, name: string): Promise<Account> {
  const known = await world.documents.get<Account>("account", name);
  if (known !== null) return known;
  const account: Account = {
    name,
    clientId: `A${world.token(79)}`,
    secret: `E${world.token(79)}`,
    webhookId: world.token(17).toUpperCase(),
    // PayPal's account ids have no 0, 1, I and O.
    merchantId: world
      .token(13)
      .toUpperCase()
      .replace(/[01IO]/g, "Z"),
    callbackUrl: null,
  };
  await world.documents.put("account", name, account);
  return account;
}

/** POST /v1/oauth2/token */
export async function grantToken(world: SimulatorWorld, request: Request): Promise<Response> {
  const [id = "", secret = ""] = Buffer.from((request.headers.get("authorization") ?? "").replace(/^Basic /, ""), "base64")
    .toString()
    .split(":");
  const account = (await world.documents.list<Account>("account")).find((one) => one.clientId === id && one.secret === secret);
  if (account === undefined)
    return Response.json({ error: "invalid_client", error_description: "Client Authentication failed" }, { status: 401 });
  if (new URLSearchParams(await request.text()).get("grant_type") !== "client_credentials") {
    return Response.json({ error: "unsupported_grant_type", error_description: "unsupported grant_type" }, { status: 400 });
  }
  const token = `A21AA${world.token(80)}`;
  await world.documents.put("token", token, { account: account.name, until: world.now().getTime() + tokenSeconds * 1_000 });
  return Response.json({
    scope: "https://uri.paypal.com/services/payments/payment",
    access_token: token,
    token_type: "Bearer",
    app_id: "APP-80W284485P519543T",
    expires_in: tokenSeconds,
  });
}

/** The account of a request's access token. */
export async function accountOf(world: SimulatorWorld, request: Request): Promise<Account> {
  const token = (request.headers.get("authorization") ?? "").replace(/^Bearer /, "");
  const grant = await world.documents.get<{ account: string; until: number }>("token", token);
  const account =
    grant === null || grant.until <= world.now().getTime() ? null : await world.documents.get<Account>("account", grant.account);
  if (account === null) throw new Refused(401, "AUTHENTICATION_FAILURE");
  return account;
}
