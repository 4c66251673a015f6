/** What is known about one request to a tracked address. */
export interface TrackedCall {
  kind: "open" | "click";
  method: string;
  user_agent: string | null;
  at: Date;
  /** When the recipient's server received the message; null if it isn't known yet. */
  delivered_at: Date | null;
  /** Links of the same copy that were followed shortly before, without this one. */
  recent: readonly { url: string; at: Date }[];
  url: string | null;
}

const fastestReaderMs = 2_000;
const burstMs = 1_000;
const burstLinks = 3;

/** Security scanners, link previews and crawlers, by their user agent. */
const machines =
  /barracuda|proofpoint|mimecast|symantec|messagelabs|trend ?micro|forcepoint|fortinet|sophos|fireeye|trustwave|cloudmark|ironport|mailguard|antispam|safelinks|microsoft office existence|bingpreview|bot\b|bot[/;) ]|crawler|spider|slurp|preview|facebookexternalhit|headlesschrome|phantomjs|python|curl|wget|go-http-client|java\/|apache-httpclient|libwww|node-fetch|axios|undici|scrapy|httpx/i;
/** Mailbox providers that fetch images for their readers when the reader looks. */
const readersProxies = /googleimageproxy|yahoomailproxy/i;
/** User agents that fetch images before anyone opens the email (Apple's mail privacy). */
const bareBrowser = /^mozilla\/5\.0$/i;

/**
 * True if an open or a click came from a machine; these are reported but not counted. Signs are a HEAD request, a known scanner or no user
 * agent, sooner after delivery than a person reads, or several links of one copy within a second.
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
