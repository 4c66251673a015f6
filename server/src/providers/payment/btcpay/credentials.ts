import { type CredentialFault, CredentialsInvalid } from "#gateways/index.ts";
import { isLoopbackUrl } from "#platform/index.ts";
import { manifest } from "./manifest.ts";

/** A store on a merchant's server. */
export interface BtcpayCredentials {
  /** Without a trailing slash. */
  baseUrl: string;
  storeId: string;
  apiKey: string;
  /** null until the merchant has created the webhook. */
  webhookSecret: string | null;
}

const visible = /^[\x21-\x7e]{8,200}$/;

const shapes: Readonly<Record<string, { pattern: RegExp; message: string }>> = {
  store_id: { pattern: /^[A-Za-z0-9]{8,100}$/, message: "A store ID only has letters and digits." },
  api_key: { pattern: visible, message: "This isn't a BTCPay Server API key." },
  webhook_secret: { pattern: visible, message: "A webhook secret has at least 8 visible characters." },
};

/** Parses the form of an account. Throws `CredentialsInvalid` with every fault at once. */
export function readCredentials(form: Readonly<Record<string, string>>, { livemode }: { livemode: boolean }): BtcpayCredentials {
  const faults: CredentialFault[] = [];
  const given = (name: string) => (form[name] ?? "").trim();
  const baseUrl = readBaseUrl(given("base_url"), livemode);
  for (const { name, required } of manifest.fields) {
    const shape = shapes[name];
    if (given(name) === "" && !required) continue;
    if (given(name) === "") faults.push({ field: name, reason: "required", message: "This field is required." });
    else if (shape !== undefined && !shape.pattern.test(given(name)))
      faults.push({ field: name, reason: "malformed", message: shape.message });
    else if (name === "base_url" && baseUrl === null) {
      faults.push({
        field: name,
        reason: "malformed",
        message: "The address must start with https:// and can't have a query, fragment or user name.",
      });
    }
  }
  if (faults.length > 0 || baseUrl === null) throw new CredentialsInvalid(faults);
  return { baseUrl, storeId: given("store_id"), apiKey: given("api_key"), webhookSecret: given("webhook_secret") || null };
}

/** A test account's server may be on this machine, where certificates aren't available, if the operator allows it (`GATEWAY_URLS`). */
function readBaseUrl(text: string, livemode: boolean): string | null {
  if (text.length > 300 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isSafe = url.protocol === "https:" || (!livemode && url.protocol === "http:" && isLoopbackUrl(text));
  const isBare = url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isSafe || !isBare) return null;
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}
