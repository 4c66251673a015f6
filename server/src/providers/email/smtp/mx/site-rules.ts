import type { SiteLimits } from "../site.ts";
import type { MailHost } from "./resolve-route.ts";

const usual: SiteLimits = { connections: 10, messagesPerConnection: 100, idleMs: 30_000, timeoutMs: 5_000 };

/** Operators that many domains share, by the names of their mail hosts, and the limits that suit them. */
const operators: { name: string; hosts: RegExp; limits: Partial<SiteLimits> }[] = [
  { name: "google", hosts: /\.(google|googlemail)\.com$/, limits: { connections: 5, messagesPerConnection: 50 } },
  { name: "yahoo", hosts: /\.(yahoodns\.net|yahoo\.com)$/, limits: { messagesPerConnection: 20 } },
  { name: "outlook", hosts: /\.olc\.protection\.outlook\.com$/, limits: {} },
  { name: "icloud", hosts: /\.mail\.icloud\.com$/, limits: { connections: 5 } },
  { name: "qq", hosts: /\.qq\.com$/, limits: { connections: 5, messagesPerConnection: 20 } },
  { name: "netease", hosts: /\.(163|126|netease)\.com$/, limits: { connections: 5, messagesPerConnection: 20 } },
  { name: "gmx", hosts: /\.(gmx|web)\.(net|de)$|\.kundenserver\.de$/, limits: { connections: 5 } },
];

/**
 * Returns the site of a set of hosts: a known operator, else the set itself. Domains with the same hosts therefore share one limit and one
 * back-off, and no others do.
 */
export function siteOf(hosts: readonly MailHost[], given: Partial<SiteLimits> = {}): { name: string; limits: SiteLimits } {
  const operator = operators.find((one) => hosts.every((host) => one.hosts.test(`.${host.name}`)));
  if (operator !== undefined) return { name: operator.name, limits: { ...usual, ...operator.limits, ...given } };
  return { name: [...new Set(hosts.map((host) => host.name))].toSorted().join(" "), limits: { ...usual, ...given } };
}
