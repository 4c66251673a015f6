import { type KeyObject, X509Certificate } from "node:crypto";
import { type GatewayCall, GatewayError, unanswered } from "#gateways/index.ts";

/** The hosts of PayPal's callback certificates, and the names that they are issued to. */
const sites = {
  live: { host: "api.paypal.com", name: "messageverificationcerts.paypal.com" },
  test: { host: "api.sandbox.paypal.com", name: "messageverificationcerts.sandbox.paypal.com" },
} as const;

/** DigiCert's server of intermediate certificates. PayPal only serves the end of the chain, which gives its issuer's address here. */
const issuersHost = "cacerts.digicert.com";

const cacheSeconds = 86_400;
const refusedSeconds = 60;
const fetchesAMinute = 20;
/** The error code after too many fetches. */
export const tooManyFetches = "too_many";
const longestChain = 4;
const maxCharacters = 65_536;

interface Site {
  livemode: boolean;
}

/**
 * Whether an address from a callback can be that of a PayPal certificate: only at its path, on PayPal's own host or the host of the
 * account's API.
 */
export function isCertificateUrl(call: GatewayCall, text: string, { livemode }: Site): boolean {
  if (text.length > 300 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const origins = [`https://${sites[livemode ? "live" : "test"].host}`, new URL(call.baseUrl).origin];
  return (
    origins.includes(url.origin) &&
    text === `${url.origin}${url.pathname}` &&
    /^\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,100}$/.test(url.pathname)
  );
}

/**
 * Returns the key of a PayPal certificate; null if it can't be trusted: wrong name, expired, or no chain to one of the call's roots. Throws
 * `unavailable` if it can't be fetched now.
 */
export async function findKey(call: GatewayCall, url: string, site: Site): Promise<KeyObject | null> {
  const cacheKey = `certificate ${url}`;
  const cached = call.cache.get(cacheKey);
  if (cached === "") return null;
  const found = cached === null ? await fetchOnce(call, url, site) : readCertificate(cached);
  if (cached === null) call.cache.set(cacheKey, found?.toString() ?? "", found === null ? refusedSeconds : cacheSeconds);
  return found !== null && isCurrent(call, found) ? found.publicKey : null;
}

/** Certificates that are being fetched. */
const inProgress = new Map<string, Promise<X509Certificate | null>>();

/** Many callbacks may arrive before the first one's certificate does: they wait for the same response. */
function fetchOnce(call: GatewayCall, url: string, site: Site): Promise<X509Certificate | null> {
  const name = `${call.baseUrl} ${site.livemode} ${url}`;
  const known = inProgress.get(name);
  if (known !== undefined) return known;
  const fetching = fetchTrusted(call, url, site).finally(() => inProgress.delete(name));
  inProgress.set(name, fetching);
  return fetching;
}

async function fetchTrusted(call: GatewayCall, url: string, { livemode }: Site): Promise<X509Certificate | null> {
  const text = (await fetchBytes(call, url))?.toString("latin1") ?? "";
  const blocks = text.length > maxCharacters ? [] : text.split("-----BEGIN CERTIFICATE-----").slice(1, longestChain + 2);
  const [leaf, ...others] = blocks
    .map((block) => readCertificate(`-----BEGIN CERTIFICATE-----${block}`))
    .filter((certificate) => certificate !== null);
  if (leaf === undefined || leaf.publicKey.asymmetricKeyType !== "rsa") return null;
  const name = sites[livemode ? "live" : "test"].name;
  if (leaf.checkHost(name, { subject: "never", wildcards: false }) !== name) return null;
  const roots = (await call.roots()).map(readCertificate).filter((certificate) => certificate !== null);
  return (await isChained(call, leaf, { others, roots })) ? leaf : null;
}

async function isChained(
  call: GatewayCall,
  leaf: X509Certificate,
  given: { others: X509Certificate[]; roots: X509Certificate[] },
): Promise<boolean> {
  let end = leaf;
  for (let length = 1; length <= longestChain; length += 1) {
    const issuerOf = (candidates: X509Certificate[]) =>
      candidates.find((candidate) => isIssued(end, candidate) && isCurrent(call, candidate));
    if (!isCurrent(call, end)) return false;
    if (issuerOf(given.roots) !== undefined) return true;
    const issuer = issuerOf(given.others) ?? issuerOf(await fetchIssuers(call, end));
    if (issuer === undefined) return false;
    end = issuer;
  }
  return false;
}

/** Whether an authority signed a certificate, with a digest that is still secure. */
function isIssued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return (
      issuer.ca &&
      /sha(256|384|512)/i.test(certificate.signatureAlgorithm ?? "") &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey)
    );
  } catch {
    return false;
  }
}

function isCurrent(call: GatewayCall, { validFromDate, validToDate }: X509Certificate): boolean {
  const now = call.now();
  return validFromDate <= now && now <= validToDate;
}

/** Fetches the issuer's certificate from the address in the certificate, if that is DigiCert's. */
async function fetchIssuers(call: GatewayCall, certificate: X509Certificate): Promise<X509Certificate[]> {
  const named = certificate.toLegacyObject().infoAccess?.["CA Issuers - URI"]?.[0] ?? "";
  const url = URL.canParse(named) ? new URL(named) : null;
  if (url?.hostname !== issuersHost || !/^\/[A-Za-z0-9._-]{1,120}$/.test(url.pathname)) return [];
  const bytes = await fetchBytes(call, `https://${issuersHost}${url.pathname}`);
  const issuer = bytes === null ? null : readCertificate(bytes);
  return issuer === null ? [] : [issuer];
}

/**
 * Fetches the bytes at an address; null if there are none. Callbacks come from strangers until they're verified, so the fetches per minute
 * are limited.
 */
async function fetchBytes(call: GatewayCall, url: string): Promise<Buffer | null> {
  const fetches = Number(call.cache.get("certificate fetches") ?? 0);
  if (fetches >= fetchesAMinute) throw unreached(tooManyFetches);
  call.cache.set("certificate fetches", String(fetches + 1), 60);
  let answer: { status: number; bytes: Buffer };
  try {
    const response = await call.fetch(url, { redirect: "manual" });
    answer = { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  } catch (error) {
    throw unanswered(error, false);
  }
  if (answer.status === 429 || answer.status >= 500) throw unreached(String(answer.status));
  return answer.status === 200 ? answer.bytes : null;
}

const unreached = (code: string) =>
  new GatewayError("unavailable", { code, message: "The certificate of a callback couldn't be fetched." });

function readCertificate(bytes: string | Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    return null;
  }
}
