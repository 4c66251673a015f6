import type { MailDns } from "./mail-dns.ts";

/** A domain's requirements for senders (RFC 8461). */
export interface StsPolicy {
  /** `enforce`: only these hosts, and only with a valid certificate. */
  mode: "enforce" | "testing" | "none";
  /** Names, or `*.example.com` for one label. */
  mx: readonly string[];
}

/** Fetches a text over https, without following redirects; null if there isn't one. */
export type FetchText = (url: string) => Promise<string | null>;

interface CachedPolicy {
  id: string;
  policy: StsPolicy;
  until: number;
}

const longestMs = 31_557_600_000;
const retryMs = 3_600_000;
const cacheMax = 10_000;
const longestPolicy = 65_536;
const free: StsPolicy = { mode: "none", mx: [] };

/**
 * Reads and caches the policies of domains. A cached policy applies until it expires, whatever DNS and the web say in the meantime:
 * otherwise someone who can block them could turn encryption off.
 */
export function createStsReader({ dns, fetchText, now }: { dns: MailDns; fetchText: FetchText; now: () => Date }) {
  const cache = new Map<string, CachedPolicy>();
  const pending = new Map<string, { until: number; answer: Promise<StsPolicy> }>();

  const look = async (domain: string): Promise<StsPolicy> => {
    const known = cache.get(domain);
    const alive = known !== undefined && now().getTime() < known.until ? known : undefined;
    const id = await policyId(dns, domain);
    if (id === null || id === alive?.id) return alive?.policy ?? free;
    const read = readPolicy(await fetchText(`https://mta-sts.${domain}/.well-known/mta-sts.txt`).catch(() => null));
    if (read === null) return alive?.policy ?? free;
    remember(cache, domain, { id, policy: read.policy, until: now().getTime() + Math.min(read.maxAgeMs, longestMs) });
    return read.policy;
  };

  return (domain: string): Promise<StsPolicy> => {
    const at = now().getTime();
    const recent = pending.get(domain);
    if (recent !== undefined && at < recent.until) return recent.answer;
    const answer = look(domain);
    remember(pending, domain, { until: at + retryMs, answer });
    return answer;
  };
}

/** Whether a policy allows mail to a host. */
export function permits(policy: StsPolicy, host: string): boolean {
  return policy.mx.some((pattern) =>
    pattern.startsWith("*.") ? host.slice(host.indexOf(".") + 1) === pattern.slice(2) && host.includes(".") : host === pattern,
  );
}

/** Parses a policy and its lifetime; null if the text isn't a policy. */
export function readPolicy(text: string | null): { policy: StsPolicy; maxAgeMs: number } | null {
  if (text === null || text.length > longestPolicy) return null;
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    return /^[a-z_]+$/.test(name)
      ? [
          [
            name,
            line
              .slice(colon + 1)
              .trim()
              .toLowerCase(),
          ] as const,
        ]
      : [];
  });
  const first = (name: string) => fields.find(([known]) => known === name)?.[1];
  const mode = first("mode");
  const maxAge = Number(first("max_age"));
  const mx = fields.flatMap(([name, value]) => (name === "mx" ? [value.replace(/\.$/, "")] : []));
  if (first("version") !== "stsv1" || (mode !== "enforce" && mode !== "testing" && mode !== "none") || !Number.isInteger(maxAge))
    return null;
  if (mode !== "none" && mx.length === 0) return null;
  return { policy: { mode, mx }, maxAgeMs: maxAge * 1_000 };
}

async function policyId(dns: MailDns, domain: string): Promise<string | null> {
  const records = await dns.txt(`_mta-sts.${domain}`).catch(() => []);
  const ours = records.filter((record) => /^v=STSv1\s*;/.test(record));
  return ours.length === 1 ? (/;\s*id=([A-Za-z0-9]{1,32})/.exec(ours[0] ?? "")?.[1] ?? null) : null;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const [oldest] of map) {
    if (map.size <= cacheMax) break;
    map.delete(oldest);
  }
}
