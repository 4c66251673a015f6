import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Meaning, Stage } from "./answer-rules.ts";
import { classifyAnswer } from "./classify-answer.ts";

type Sample = [who: string, stage: Stage, code: number | null, text: string, means: Meaning];

/**
 * What mail servers say, as their operators document it and as it is met in logs; names and addresses are made up. Columns: who, stage,
 * code, meaning, text.
 */
const samples: Sample[] = readFileSync(new URL("answer-samples.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const [who = "", stage, code, means, text = ""] = line.split("\t");
    return [who, stage as Stage, code === "" ? null : Number(code), text, means as Meaning];
  });

/** What relays say to their customers. Columns: who, stage, code, meaning, text, where it is documented or was met. */
const ofRelays = readFileSync(new URL("relay-answers.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): [...Sample, source: string] => {
    const [who = "", stage, code, means, text = "", source = ""] = line.split("\t");
    return [who, stage as Stage, code === "" ? null : Number(code), text, means as Meaning, source];
  });
const ofRelay = (stage: Stage, code: number | null, text: string) =>
  classifyAnswer({ stage, code, enhanced: null, text, isRelay: stage !== "dsn" });

test("the responses of five relays are known, each with its source", () => {
  expect(ofRelays.length).toBeGreaterThanOrEqual(60);
  for (const who of ["SES", "Gmail", "Microsoft", "Postmark", "Mailgun"])
    expect(ofRelays.filter(([name]) => name === who).length, who).toBeGreaterThanOrEqual(9);
  expect(ofRelays.filter(([, , , , , source]) => !/^(https?:\/\/|as met$)/.test(source))).toEqual([]);
});

test.each(ofRelays)("%s as a relay at %s: %i %s", (_who, stage, code, text, means) => {
  expect(ofRelay(stage, code, text)).toMatchObject({ means, suppress: means === "no_mailbox" || means === "no_domain" });
});

test("a relay's response about our account or its limits suppresses no one, whichever relay it is", () => {
  const ours = ofRelays.filter(([, , , , means]) => means !== "no_mailbox" && means !== "no_domain");
  for (const [, , code, text] of ours)
    for (const stage of ["mail", "rcpt", "body", "dsn"] as const)
      for (const isRelay of [true, false])
        expect([text, stage, isRelay, classifyAnswer({ stage, code, enhanced: null, text, isRelay }).suppress]).toEqual([
          text,
          stage,
          isRelay,
          false,
        ]);
});

test("what a relay doesn't accept is stored and tried later, and no other email waits for it", () => {
  const refusals = [...samples, ...ofRelays].filter(([, , , , means]) => means === "relaying");
  expect(refusals.length).toBeGreaterThan(5);
  for (const [, , code, text] of refusals) {
    expect([text, ofRelay("rcpt", code, text).result]).toEqual([text, "deferred"]);
    expect([text, classifyAnswer({ stage: "rcpt", code, enhanced: null, text }).result]).toEqual([text, "refused"]);
  }
});

test("a relay's response with 5.7.x never suppresses", () => {
  for (const [, , , text] of [...samples, ...ofRelays]) {
    const answer = `5.7.1 ${text.replace(/^[245]\.\d+\.\d+ /, "")}`;
    for (const stage of ["rcpt", "body"] as const) expect([answer, ofRelay(stage, 550, answer).suppress]).toEqual([answer, false]);
  }
});

test.each([
  ["550 5.4.5 Daily user sending limit exceeded", 1_800_000],
  ["454 Throttling failure: Daily message quota exceeded", 1_800_000],
  ["454 Throttling failure: Maximum sending rate exceeded", null],
  ["450 4.7.1 Hourly sending quota exceeded, try again in 50 minutes", 3_000_000],
])("a relay whose quota is used up is left unused: %s", (text, wait_ms) => {
  expect(ofRelay("body", Number(text.slice(0, 3)), text.slice(4))).toMatchObject({ means: "quota", result: "site", wait_ms });
});

test("the table of responses is as large as promised", () => {
  expect(samples.length).toBeGreaterThanOrEqual(120);
});

test.each(samples)("%s at %s: %i %s", (_who, stage, code, text, means) => {
  expect(classifyAnswer({ stage, code, enhanced: null, text }).means).toBe(means);
});

/** Everything in which a server speaks of our address, our name or our volume. */
const ofStanding =
  /spamhaus|spamcop|reputation|block ?list|black ?list|blocked|rbl|banned|rate|volume|frequency|dmarc|\bspf\b|reverse|spam|s3140|unauthenticated|rejected due to/i;

test("no response about our reputation suppresses a recipient", () => {
  const wrong = samples.filter(
    ([, stage, code, text]) => ofStanding.test(text) && classifyAnswer({ stage, code, enhanced: null, text }).suppress,
  );
  expect(wrong).toEqual([]);
});

test.each(["Spamhaus", "IP reputation", "your IP is blacklisted", "rate limit exceeded", "blocked using dnsbl.example"])(
  "%s takes precedence over an unknown mailbox in the same response",
  (words) => {
    for (const text of [`5.1.1 user unknown; ${words}`, `5.2.1 mailbox disabled (${words})`, `${words}: no such user`]) {
      expect(classifyAnswer({ stage: "rcpt", code: 550, enhanced: null, text })).toMatchObject({ suppress: false });
    }
  },
);

test("only an address that does not exist is suppressed", () => {
  for (const [, stage, code, text, means] of samples) {
    expect([text, classifyAnswer({ stage, code, enhanced: null, text }).suppress]).toEqual([
      text,
      means === "no_mailbox" || means === "no_domain",
    ]);
  }
});

test.each([
  ["Greylisted, please try again in 60 seconds", 60_000],
  ["4.7.1 Greylisting in action, please come back in 00:05:00", 300_000],
  ["try again in 5 minutes", 300_000],
  ["Try again in 30 days", null],
  ["please retry after 2h", 3_600_000],
  ["try again in 9999 minutes", 3_600_000],
  ["try again later", null],
  ["try again in 0 seconds", null],
])("reads a requested wait: %s", (text, wait_ms) => {
  expect(classifyAnswer({ stage: "rcpt", code: 451, enhanced: null, text }).wait_ms).toBe(wait_ms);
});
