import { expect, test } from "vitest";
import { isBot, type TrackedCall } from "./is-bot.ts";

const at = new Date("2026-11-20T08:00:00.000Z");
const ago = (ms: number) => new Date(at.getTime() - ms);
const person = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36";
const call: TrackedCall = {
  kind: "click",
  method: "GET",
  user_agent: person,
  at,
  delivered_at: ago(60_000),
  recent: [],
  url: "https://a.example/1",
};
const links = (count: number, ms: number) =>
  Array.from({ length: count }, (_none, index) => ({ url: `https://a.example/r${index}`, at: ago(ms) }));

const cases: [string, Partial<TrackedCall>, boolean][] = [
  ["a person's click", {}, false],
  ["a person's opening", { kind: "open", url: null }, false],
  [
    "a phone",
    { user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148" },
    false,
  ],
  [
    "Gmail fetching pictures for its reader",
    { kind: "open", user_agent: "Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)" },
    false,
  ],
  [
    "Yahoo fetching pictures",
    { kind: "open", user_agent: "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html" },
    false,
  ],
  ["Thunderbird", { kind: "open", user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.4.0" }, false],
  ["a message whose delivery is not known yet", { delivered_at: null }, false],
  ["two links within a second", { recent: links(1, 500) }, false],
  ["the same link again and again", { recent: [1, 2, 3].map((n) => ({ url: "https://a.example/1", at: ago(n * 100) })) }, false],
  ["three links in two seconds", { recent: links(2, 1_500) }, false],
  ["exactly two seconds after the delivery", { delivered_at: ago(2_000) }, false],
  ["HEAD", { method: "HEAD" }, true],
  ["no name at all", { user_agent: null }, true],
  ["an empty name", { user_agent: "  " }, true],
  ["sooner than anybody reads", { delivered_at: ago(1_999) }, true],
  ["before the delivery was noted", { delivered_at: new Date(at.getTime() + 500) }, true],
  ["three links within a second", { recent: links(2, 1_000) }, true],
  ["Apple fetching all pictures in advance", { kind: "open", user_agent: "Mozilla/5.0" }, true],
  ["Barracuda", { user_agent: "BarracudaCentral/1.0" }, true],
  ["Proofpoint", { user_agent: "Mozilla/5.0 Proofpoint URL Defense" }, true],
  ["Mimecast", { user_agent: "Mimecast-Scan" }, true],
  ["Outlook looking whether a link exists", { user_agent: "Microsoft Office Existence Discovery" }, true],
  ["Bing's preview", { user_agent: "Mozilla/5.0 (compatible) BingPreview/1.0b" }, true],
  ["a crawler", { user_agent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, true],
  ["Slack unfolding a link", { user_agent: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }, true],
  ["Facebook unfolding a link", { user_agent: "facebookexternalhit/1.1" }, true],
  ["a browser without a head", { user_agent: "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/143.0" }, true],
  ["a script", { user_agent: "python-requests/2.32" }, true],
  ["curl", { user_agent: "curl/8.5.0" }, true],
];

test.each(cases)("%s", (_name, given, machine) => {
  expect(isBot({ ...call, ...given })).toBe(machine);
});
