import fc from "fast-check";
import { expect, test } from "vitest";
import { readReport } from "./read-report.ts";

const lines = (text: string) => Buffer.from(text.replace(/^\n/, "").replace(/\n/g, "\r\n"));

const report = (type: string, parts: [string, string][]) =>
  lines(`
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
To: b+x@bounce.acme.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type}; boundary="B"

${parts.map(([name, body]) => `--B\nContent-Type: ${name}\n\n${body}\n`).join("\n")}
--B--
`);

const original =
  "Return-Path: <b+x@bounce.acme.example>\nFrom: Acme <hello@acme.example>\nTo: Ada <ada@example.com>\nSubject: Hello\nMessage-ID: <em_1@acme.example>\n";

const postfix = (group: string, returned: [string, string] = ["text/rfc822-headers", original]) =>
  report("delivery-status", [
    ["text/plain", "This is the mail system at host mx.example.com."],
    ["message/delivery-status", `Reporting-MTA: dns; mx.example.com\nArrival-Date: Fri, 20 Nov 2026 08:00:00 +0000\n\n${group}`],
    returned,
  ]);

test("a failure specifies recipient, codes, words, server and the email it is about", async () => {
  const group =
    "Final-Recipient: rfc822; Ada@Example.com\nOriginal-Recipient: rfc822;ada@example.com\nAction: failed\nStatus: 5.1.1\nRemote-MTA: dns; mail.example.com\nDiagnostic-Code: smtp; 550 5.1.1 <ada@example.com>:\n    Recipient address rejected: User unknown";
  expect(await readReport(postfix(group))).toEqual({
    kind: "dsn",
    message_id: "<em_1@acme.example>",
    recipients: [
      {
        address: "ada@example.com",
        action: "failed",
        enhanced_code: "5.1.1",
        smtp_code: 550,
        diagnostic: "550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown",
        remote: "mail.example.com",
      },
    ],
  });
});

test.each([
  ["delayed", "delayed"],
  ["delivered", "delivered"],
  ["relayed", "delivered"],
  ["Failed", "failed"],
  ["failed (delivery time expired)", "failed"],
])("an action %s is read as %s", async (action, read) => {
  const found = await readReport(postfix(`Final-Recipient: rfc822; a@example.com\nAction: ${action}\nStatus: 4.4.1`));
  expect(found).toMatchObject({ kind: "dsn", recipients: [{ action: read, enhanced_code: "4.4.1", smtp_code: null, diagnostic: null }] });
});

test("each of several recipients of one report is read", async () => {
  const found = await readReport(
    postfix(
      "Final-Recipient: rfc822; a@example.com\nAction: failed\nStatus: 5.2.2\n\nFinal-Recipient: rfc822; b@example.com\nAction: delayed\nStatus: 4.7.0",
    ),
  );
  expect(found).toMatchObject({
    recipients: [
      { address: "a@example.com", action: "failed" },
      { address: "b@example.com", action: "delayed" },
    ],
  });
});

test("the email it is about is found if it is returned completely", async () => {
  const found = await readReport(
    postfix("Final-Recipient: rfc822; a@example.com\nAction: failed\nStatus: 5.0.0", ["message/rfc822", `${original}\nHi Ada\n`]),
  );
  expect(found).toMatchObject({ kind: "dsn", message_id: "<em_1@acme.example>" });
});

test("a report in one group is read too", async () => {
  const raw = report("delivery-status", [
    ["message/delivery-status", "Reporting-MTA: dns; x\nFinal-Recipient: rfc822; a@example.com\nAction: failed\nStatus: 5.1.10"],
  ]);
  expect(await readReport(raw)).toMatchObject({
    kind: "dsn",
    recipients: [{ address: "a@example.com", enhanced_code: "5.1.10" }],
    message_id: null,
  });
});

test("a report in qmail's words is read", async () => {
  const raw = lines(`
From: MAILER-DAEMON@mx.example.com
To: b+x@bounce.acme.example
Subject: failure notice

Hi. This is the qmail-send program at mx.example.com.
I'm afraid I wasn't able to deliver your message to the following addresses.

<ada@example.com>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 User unknown
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

${original}
Hi
`);
  expect(await readReport(raw)).toMatchObject({
    kind: "dsn",
    message_id: "<em_1@acme.example>",
    recipients: [{ address: "ada@example.com", action: "failed", enhanced_code: "5.1.1", smtp_code: 550 }],
  });
});

/** As hosts with an older Exim send it: no part for programs, the addresses in a header. */
const exim = (headers: string, answer: string) =>
  lines(`
From: Mail Delivery System <Mailer-Daemon@host.example.com>
To: b+x@bounce.acme.example
Auto-Submitted: auto-replied
${headers}

This message was created automatically by mail delivery software.

${answer}
------ This is a copy of the message, including all the headers. ------

${original}
  ada@example.com
    host copied.example.com [192.0.2.9]: 550 5.1.1 in the copy
`);

test("a report of Exim identifies who failed in a header, and why in its text", async () => {
  const raw = exim(
    "X-Failed-Recipients: ada@example.com,\n  Full@example.com, odd@example.com\nSubject: Mail delivery failed: returning message to sender",
    `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    host mx.example.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    550 5.1.1 <ada@example.com>: Recipient address rejected:
    User unknown
  full@example.com
    (generated from list@example.com)
    mailbox is full: retry timeout exceeded
`,
  );
  const read = await readReport(raw);
  expect(read).toMatchObject({ kind: "dsn", message_id: "<em_1@acme.example>" });
  expect(read.kind === "dsn" && read.recipients).toEqual([
    {
      address: "ada@example.com",
      action: "failed",
      enhanced_code: "5.1.1",
      smtp_code: 550,
      remote: "mx.example.com",
      diagnostic:
        "host mx.example.com [192.0.2.1] SMTP error from remote mail server after RCPT TO:<ada@example.com>: 550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown",
    },
    {
      address: "full@example.com",
      action: "failed",
      enhanced_code: "5.0.0",
      smtp_code: null,
      remote: null,
      diagnostic: "(generated from list@example.com) mailbox is full: retry timeout exceeded",
    },
    { address: "odd@example.com", action: "failed", enhanced_code: "5.0.0", smtp_code: null, remote: null, diagnostic: null },
  ]);
});

test("a warning of Exim is a delay", async () => {
  const raw = exim(
    "Subject: Warning: message 1abc delayed 24 hours",
    `A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on host.example.com.

The address to which the message has not yet been delivered is:

  ada@example.com
    host mx.example.com [192.0.2.1]: 451 4.7.1 later
`,
  );
  expect(await readReport(raw)).toMatchObject({
    kind: "dsn",
    recipients: [{ address: "ada@example.com", action: "delayed", smtp_code: 451, remote: "mx.example.com" }],
  });
});

test("a complaint specifies its type, its sender and the email it is about", async () => {
  const raw = report("feedback-report", [
    ["text/plain", "This is an email abuse report."],
    [
      "message/feedback-report",
      "Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Mail-From: <b+x@bounce.acme.example>\nOriginal-Rcpt-To: <Ada@example.com>",
    ],
    ["message/rfc822", `${original}\nHi\n`],
  ]);
  expect(await readReport(raw)).toEqual({
    kind: "arf",
    feedback_type: "abuse",
    address: "ada@example.com",
    return_paths: ["b+x@bounce.acme.example", "b+x@bounce.acme.example"],
    unsubscribe_token: null,
    message_id: "<em_1@acme.example>",
  });
});

test("a complaint without the recipient takes it from the email itself", async () => {
  const raw = report("feedback-report", [
    ["message/feedback-report", "Feedback-Type: fraud\nVersion: 1"],
    ["message/rfc822", `${original}\nHi\n`],
  ]);
  expect(await readReport(raw)).toMatchObject({
    kind: "arf",
    feedback_type: "fraud",
    address: "ada@example.com",
    return_paths: ["b+x@bounce.acme.example"],
  });
});

test("an out-of-office reply says nothing about delivery", async () => {
  const raw = lines(
    "From: ada@example.com\nTo: b+x@bounce.acme.example\nSubject: Out of office\nAuto-Submitted: auto-replied\nIn-Reply-To: <em_1@acme.example>\n\nI am away until Monday. <bob@example.com>:\nis there.\n",
  );
  expect(await readReport(raw)).toMatchObject({
    kind: "other",
    message_id: "<em_1@acme.example>",
    message: { subject: "Out of office", isAutomatic: true },
  });
});

test("whatever bytes arrive, reading ends and returns something", async () => {
  const skeleton = fc.constantFrom(
    "Content-Type: multipart/report; boundary=B\r\n\r\n--B\r\nContent-Type: message/delivery-status\r\n\r\n",
    "Content-Type: message/rfc822\r\n\r\n",
    "",
  );
  await fc.assert(
    fc.asyncProperty(skeleton, fc.uint8Array({ maxLength: 2_000 }), async (head, bytes) => {
      expect((await readReport(Buffer.concat([Buffer.from(head), bytes]))).kind).toMatch(/^(dsn|arf|other)$/);
    }),
    { numRuns: 200 },
  );
});
