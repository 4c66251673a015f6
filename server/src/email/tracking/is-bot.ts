/** What is known of one call of a tracked address. */
export interface TrackedCall {
  kind: "open" | "click";
  method: string;
  user_agent: string | null;
  at: Date;
  /** When the recipient's server had the message; null: not known yet. */
  delivered_at: Date | null;
  /** Links of the same copy that were followed shortly before, this one not included. */
  recent: readonly { url: string; at: Date }[];
  url: string | null;
}

const fastestReaderMs = 2_000;
const burstMs = 1_000;
const burstLinks = 3;

/** Security scanners, link previews and crawlers, by what they call themselves. */
const machines =
  /barracuda|proofpoint|mimecast|symantec|messagelabs|trend ?micro|forcepoint|fortinet|sophos|fireeye|trustwave|cloudmark|ironport|mailguard|antispam|safelinks|microsoft office existence|bingpreview|bot\b|bot[/;) ]|crawler|spider|slurp|preview|facebookexternalhit|headlesschrome|phantomjs|python|curl|wget|go-http-client|java\/|apache-httpclient|libwww|node-fetch|axios|undici|scrapy|httpx/i;
/** Mailbox providers that fetch pictures on their readers' behalf, when the reader looks. */
const readersProxies = /googleimageproxy|yahoomailproxy/i;
/** User agents that fetch images before anyone opens the email (Apple's mail privacy). */
const bareBrowser = /^mozilla\/5\.0$/i;

/**
 * Whether an opening or a click came from a machine: such ones are reported but not counted. A HEAD, a known scanner or no user agent,
 * sooner after the delivery than a person reads, or several links of one copy within a second.
 */
export function isBot(call: TrackedCall): boolean {
  const agent = call.user_agent?.trim() ?? "";
  if (call.method === "HEAD" || agent === "") return true;
  if (!readersProxies.test(agent) && (machines.test(agent) || bareBrowser.test(agent))) return true;
  if (call.delivered_at !== null && call.at.getTime() - call.delivered_at.getTime() < fastestReaderMs) return true;
  if (call.kind !== "click") return false;
  const links = new Set(call.recent.filter(({ at }) => call.at.getTime() - at.getTime() <= burstMs).map(({ url }) => url));
  if (call.url !== null) links.add(call.url);
  return links.size >= burstLinks;
}
