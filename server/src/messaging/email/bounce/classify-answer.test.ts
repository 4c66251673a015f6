import { expect, test } from "vitest";
import type { Meaning, Stage } from "./answer-rules.ts";
import { classifyAnswer } from "./classify-answer.ts";

type Sample = [who: string, stage: Stage, code: number | null, text: string, means: Meaning];

/** What mail servers say, as their operators document it and as it is met in logs; names and addresses are made up. */
const samples: Sample[] = [
  // Gmail
  [
    "Gmail",
    "rcpt",
    550,
    "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. https://support.example/mail/?p=NoSuchUser x1-2001 - gsmtp",
    "no_mailbox",
  ],
  [
    "Gmail",
    "rcpt",
    550,
    "5.2.1 The email account that you tried to reach is inactive. For more information, go to https://support.example/mail/?p=DisabledUser - gsmtp",
    "no_mailbox",
  ],
  [
    "Gmail",
    "rcpt",
    552,
    "5.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.example/mail/?p=OverQuotaPerm - gsmtp",
    "mailbox_full",
  ],
  [
    "Gmail",
    "rcpt",
    452,
    "4.2.2 The recipient's inbox is out of storage space. Please direct the recipient to https://support.example/mail/?p=OverQuotaTemp - gsmtp",
    "mailbox_full",
  ],
  [
    "Gmail",
    "rcpt",
    450,
    "4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time. If the user is able to receive mail at that time, your message will be delivered. - gsmtp",
    "slow_mailbox",
  ],
  [
    "Gmail",
    "rcpt",
    450,
    "4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. - gsmtp",
    "slow_mailbox",
  ],
  [
    "Gmail",
    "rcpt",
    550,
    "5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. - gsmtp",
    "slow_mailbox",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.1 [192.0.2.9 12] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. - gsmtp",
    "blocked",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.1 [192.0.2.9 19] Our system has detected that this message is likely suspicious due to the very low reputation of the sending IP address. - gsmtp",
    "blocked",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.1 [192.0.2.9 18] Our system has detected that this message is likely suspicious due to the very low reputation of the sending domain. - gsmtp",
    "blocked",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.26 Unauthenticated email from acme.example is not accepted due to domain's DMARC policy. Please contact the administrator of acme.example domain. - gsmtp",
    "policy",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp",
    "policy",
  ],
  [
    "Gmail",
    "body",
    550,
    "5.7.1 [2001:db8::1] Our system has detected that this message does not meet IPv6 sending guidelines regarding PTR records and authentication. - gsmtp",
    "blocked",
  ],
  [
    "Gmail",
    "mail",
    421,
    "4.7.0 [192.0.2.9 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited. - gsmtp",
    "slow_site",
  ],
  ["Gmail", "mail", 421, "4.7.28 Gmail has detected an unusual rate of unsolicited mail. - gsmtp", "slow_site"],
  ["Gmail", "rcpt", 421, "4.3.0 Temporary System Problem.  Try again later - gsmtp", "site_down"],
  ["Gmail", "body", 552, "5.3.4 Your message exceeded Google's message size limits. - gsmtp", "too_large"],
  ["Gmail", "body", 552, "5.7.0 This message was blocked because its content presents a potential security issue. - gsmtp", "content"],
  ["Gmail", "body", 550, "5.7.1 The user or domain that you are sending to (or from) has a policy that prohibited the mail that you sent. - gsmtp", "policy"],
  // Outlook.com, Exchange Online
  ["Outlook", "rcpt", 550, "5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [HE1EUR01.example]", "no_mailbox"],
  [
    "Outlook",
    "mail",
    550,
    "5.7.1 Unfortunately, messages from [192.0.2.9] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    "blocked",
  ],
  [
    "Outlook",
    "mail",
    451,
    "4.7.650 The mail server [192.0.2.9] has been temporarily rate limited due to IP reputation. For e-mail delivery information, see https://postmaster.example (S775)",
    "slow_site",
  ],
  [
    "Outlook",
    "greeting",
    421,
    "RP-001 (BAY004) Unfortunately, some messages from 192.0.2.9 weren't sent. Please try again. We have limits for how many messages can be sent per hour and per day.",
    "site_down",
  ],
  [
    "Outlook",
    "greeting",
    550,
    "SC-001 (COL004) Unfortunately, messages from 192.0.2.9 weren't sent. Please contact your Internet service provider since part of their network is on our block list.",
    "site_down",
  ],
  [
    "Exchange Online",
    "rcpt",
    550,
    "5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB3EUR04FT003.example 2026-11-20T08:00:00.000Z]",
    "no_mailbox",
  ],
  ["Exchange Online", "body", 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup", "no_mailbox"],
  [
    "Exchange Online",
    "mail",
    550,
    "5.7.606 Access denied, banned sending IP [192.0.2.9]. To request removal from this list please visit https://sender.example/",
    "blocked",
  ],
  [
    "Exchange Online",
    "body",
    550,
    "5.7.509 Access denied, sending domain ACME.EXAMPLE does not pass DMARC verification and has a DMARC policy of reject.",
    "policy",
  ],
  ["Exchange Online", "rcpt", 451, "4.7.500 Server busy. Please try again later from [192.0.2.9]. (S77719) [AM4PEPF.example]", "slow_site"],
  ["Exchange Online", "body", 550, "5.7.64 TenantAttribution; Relay Access Denied [AM0PR01.example]", "relaying"],
  ["Exchange Online", "body", 554, "5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException", "mailbox_full"],
  ["Exchange Online", "dsn", null, "5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient", "too_large"],
  ["Exchange Online", "body", 550, "5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed", "policy"],
  ["Exchange Online", "rcpt", 452, "4.5.3 Recipients belong to multiple regions ATTR38 [HE1EUR.example]", "temporary"],
  // Exchange on premises
  ["Exchange", "rcpt", 550, "5.1.1 User unknown", "no_mailbox"],
  ["Exchange", "rcpt", 550, "5.7.1 Unable to relay for ada@example.com", "relaying"],
  ["Exchange", "rcpt", 452, "4.3.1 Insufficient system resources (UsedDiskSpace[C:])", "temporary"],
  ["Exchange", "body", 550, "5.7.1 Message rejected as spam by Content Filtering.", "content"],
  ["Exchange", "dsn", null, "smtp; 550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found", "no_mailbox"],
  ["Exchange", "mail", 421, "4.3.2 Service not available, closing transmission channel", "site_down"],
  // Yahoo, AOL
  ["Yahoo", "body", 554, "delivery error: dd This user doesn't have a yahoo.example account (ada@yahoo.example) [-5] - mta4001.mail", "no_mailbox"],
  ["Yahoo", "rcpt", 552, "1 Requested mail action aborted, mailbox not found", "no_mailbox"],
  [
    "Yahoo",
    "body",
    554,
    "delivery error: dd Sorry, your message to ada@yahoo.example cannot be delivered. This mailbox is disabled (554.30). - mta1016.mail",
    "no_mailbox",
  ],
  ["Yahoo", "body", 554, "delivery error: dd Requested mail action aborted: exceeded storage allocation - mta12.mail", "mailbox_full"],
  [
    "Yahoo",
    "greeting",
    421,
    "4.7.0 [TSS04] Messages from 192.0.2.9 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.example/error-codes",
    "site_down",
  ],
  ["Yahoo", "mail", 421, "4.7.0 [TSS04] Messages from 192.0.2.9 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1", "slow_site"],
  ["Yahoo", "mail", 421, "4.7.1 [TS03] All messages from 192.0.2.9 will be permanently deferred; Retrying will NOT succeed.", "slow_site"],
  [
    "Yahoo",
    "mail",
    553,
    "5.7.1 [BL21] Connections will not be accepted from 192.0.2.9, because the ip is in Spamhaus's list; see http://postmaster.example/550-bl23.html",
    "blocked",
  ],
  ["Yahoo", "body", 554, "5.7.9 Message not accepted for policy reasons. See https://postmaster.example/error-codes", "policy"],
  ["Yahoo", "body", 554, "Message not allowed - [PH01] Email not accepted for policy reasons. Please visit https://postmaster.example/error-codes", "content"],
  ["Yahoo", "rcpt", 451, "4.7.1 Message temporarily deferred - [GL01]", "greylisted"],
  ["AOL", "rcpt", 550, "5.1.1 <ada@aol.example>: Recipient address rejected: aol.example", "no_mailbox"],
  ["AOL", "greeting", 554, "(RTR:BL) https://postmaster.example/error-codes#554rtrbl", "site_down"],
  // QQ, Tencent
  ["QQ", "rcpt", 550, "Mailbox not found. http://service.mail.example/cgi-bin/help?subtype=1&no=1000728", "no_mailbox"],
  ["QQ", "rcpt", 550, "Mailbox unavailable or access denied [MGy8vd4xvX]", "no_mailbox"],
  ["QQ", "body", 550, "Mail content denied. http://service.mail.example/cgi-bin/help?subtype=1&id=20022&no=1000726", "content"],
  ["QQ", "greeting", 550, "IP frequency limited. http://service.mail.example/cgi-bin/help?id=20022", "slow_site"],
  ["QQ", "mail", 550, "Ip frequency limited [MJ6T+0bU5x IP: 192.0.2.9]. https://service.mail.example/detail/0/20", "slow_site"],
  ["QQ", "mail", 550, "Connection frequency limited. http://service.mail.example/cgi-bin/help?id=20022", "slow_site"],
  ["QQ", "mail", 550, "Domain frequency limited. http://service.mail.example/cgi-bin/help?id=20022", "slow_site"],
  ["QQ", "body", 550, "Suspected bounce attacks", "content"],
  ["QQ", "mail", 550, "Sender frequency limited", "slow_site"],
  ["QQ", "mail", 550, "Connection denied. Suspected spam ip. https://open.mail.example/", "content"],
  ["QQ", "body", 550, "Message rejected due to spf check: fail", "policy"],
  ["Tencent", "rcpt", 550, "5.1.1 收件人不存在 user not exist", "no_mailbox"],
  ["Tencent", "rcpt", 452, "邮箱已满 Mailbox full", "mailbox_full"],
  // NetEase 163, 126
  ["163", "rcpt", 550, "User not found: ada@163.example", "no_mailbox"],
  ["163", "rcpt", 550, "RP:TRC 163 mx12,PMCowABnxy_x.65437S2 mailbox unavailable", "no_mailbox"],
  ["163", "body", 554, "DT:SPM 163 smtp8,DMCowAD3, please see http://mail.example/help/help_spam_16.htm?ip=192.0.2.9", "content"],
  ["163", "mail", 550, "MI:SPF mx14,QMCowABHBc_, please see http://mail.example/help/help_spam_16.htm", "policy"],
  ["163", "mail", 451, "RL:SPM 163 mx8, too many mails, please see http://mail.example/help", "slow_site"],
  ["163", "mail", 553, "Requested action not taken: NULL sender is not allowed", "sender"],
  ["163", "mail", 451, "Requested mail action not taken: too much mail", "slow_site"],
  ["163", "mail", 554, "IP is rejected, HL:REP 163 mx6, please see http://mail.example/help", "blocked"],
  ["163", "body", 451, "DT:SPM mx4, please try again", "greylisted"],
  ["163", "body", 552, "Requested mail action aborted: exceeded mailsize limit", "too_large"],
  ["163", "rcpt", 552, "Requested mail action aborted: exceeded storage allocation", "mailbox_full"],
  // iCloud
  ["iCloud", "rcpt", 550, "5.1.1 <ada@icloud.example>: user does not exist", "no_mailbox"],
  ["iCloud", "rcpt", 552, "5.2.2 <ada@icloud.example>: user is over quota (in reply to RCPT TO command)", "mailbox_full"],
  ["iCloud", "body", 554, "5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.example/HT204137", "policy"],
  ["iCloud", "mail", 550, "5.7.0 Blocked - see https://support.example/proofpoint dynamic reputation ip=192.0.2.9", "blocked"],
  ["iCloud", "body", 550, "5.7.1 Mail from IP 192.0.2.9 was rejected due to listing in Spamhaus PBL.", "blocked"],
  // GMX, web.de, 1&1, T-Online
  ["GMX", "rcpt", 550, "Requested action not taken: mailbox unavailable", "no_mailbox"],
  ["GMX", "greeting", 554, "gmx.example (mxgmx016) Nemesis ESMTP Service not available; No SMTP service; IP address is black listed.", "site_down"],
  ["GMX", "mail", 550, "Requested action not taken: sender address is invalid: domain of sender has no MX", "sender"],
  ["GMX", "body", 554, "Transaction failed; Reject due to policy restrictions. For explanation visit https://postmaster.example", "policy"],
  ["GMX", "rcpt", 450, "Requested mail action not taken: mailbox unavailable; Mail send limit exceeded", "slow_site"],
  ["web.de", "rcpt", 552, "Requested mail action aborted: exceeded storage allocation; mailbox full", "mailbox_full"],
  ["T-Online", "greeting", 554, "IP=192.0.2.9 - A problem occurred. Ask your postmaster for help or to contact tosa@rx.example to clarify.", "site_down"],
  // Postfix
  ["Postfix", "rcpt", 550, "5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table", "no_mailbox"],
  ["Postfix", "rcpt", 550, "5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table", "no_mailbox"],
  ["Postfix", "rcpt", 450, "4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see http://postgrey.example/help/example.com.html", "greylisted"],
  ["Postfix", "rcpt", 450, "4.1.1 <ada@example.com>: Recipient address rejected: unverified address: connect to backend timed out", "temporary"],
  [
    "Postfix",
    "rcpt",
    554,
    "5.7.1 Service unavailable; Client host [192.0.2.9] blocked using zen.spamhaus.org; https://www.spamhaus.example/query/ip/192.0.2.9",
    "blocked",
  ],
  ["Postfix", "rcpt", 450, "4.7.25 Client host rejected: cannot find your hostname, [192.0.2.9]", "blocked"],
  ["Postfix", "rcpt", 554, "5.7.1 <ada@example.com>: Relay access denied", "relaying"],
  ["Postfix", "rcpt", 504, "5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname", "blocked"],
  ["Postfix", "rcpt", 450, "4.1.8 <no-reply@acme.example>: Sender address rejected: Domain not found", "sender"],
  ["Postfix", "rcpt", 554, "5.7.1 <ada@example.com>: Recipient address rejected: Access denied", "policy"],
  ["Postfix", "mail", 552, "5.3.4 Message size exceeds fixed limit", "too_large"],
  ["Postfix", "mail", 452, "4.3.1 Insufficient system storage", "temporary"],
  ["Postfix", "rcpt", 451, "4.3.0 <ada@example.com>: Temporary lookup failure", "temporary"],
  ["Postfix", "rcpt", 450, "4.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.9]", "blocked"],
  ["Postfix", "greeting", 421, "4.3.2 All server ports are busy", "site_down"],
  ["Postfix", "rcpt", 450, "4.7.1 Error: too much mail from 192.0.2.9", "slow_site"],
  ["Postfix", "dsn", null, "5.4.4 unable to look up host example.com: Name or service not known", "no_domain"],
  ["Postfix", "body", 550, "5.7.1 Blocked by SpamAssassin", "blocked"],
  // Exim, cPanel
  ["Exim", "rcpt", 550, "Unrouteable address", "no_mailbox"],
  ["Exim", "rcpt", 550, "No Such User Here", "no_mailbox"],
  ["Exim", "rcpt", 550, "relay not permitted", "relaying"],
  ["Exim", "rcpt", 451, "Temporary local problem - please try later", "temporary"],
  ["Exim", "rcpt", 451, "Greylisted, please try again in 60 seconds", "greylisted"],
  ["Exim", "rcpt", 550, "Verification failed for <b+x@bounce.acme.example> Sender verify failed", "sender"],
  ["Exim", "body", 550, "This message was classified as SPAM and may not be delivered", "content"],
  ["Exim", "rcpt", 550, "JunkMail rejected - host [192.0.2.9] is in an RBL, see https://www.spamcop.example", "blocked"],
  ["cPanel", "rcpt", 552, "ada@example.com: Mailbox is full / Blocks limit exceeded / Inode limit exceeded", "mailbox_full"],
  [
    "cPanel",
    "rcpt",
    550,
    "Domain acme.example has exceeded the max emails per hour (150/150 (100%)) allowed. Message discarded; hourly limit exceeded",
    "slow_site",
  ],
  // Gateways
  ["Barracuda", "rcpt", 550, "permanent failure for one or more recipients (ada@example.com:blocked)", "blocked"],
  [
    "Barracuda",
    "mail",
    554,
    "Service unavailable; Client host [192.0.2.9] blocked using Barracuda Reputation; http://www.barracudanetworks.example/reputation/?r=1",
    "blocked",
  ],
  ["Barracuda", "rcpt", 550, "No such domain at this location (example.com)", "no_domain"],
  ["Mimecast", "rcpt", 550, "Invalid Recipient - https://community.mimecast.example/docs/DOC-1369#550 [x.uk12]", "no_mailbox"],
  ["Mimecast", "rcpt", 451, "Internal resources are temporarily unavailable - https://community.mimecast.example/docs/DOC-1369#451 [x]", "temporary"],
  ["Mimecast", "rcpt", 550, "Rejected by header based manually Blocked Senders: no-reply@acme.example - https://community.mimecast.example", "blocked"],
  ["Mimecast", "rcpt", 550, "Administrative prohibition - envelope blocked - https://community.mimecast.example/docs/DOC-1369#550", "policy"],
  ["Mimecast", "mail", 550, "csi.mimecast.example Poor Reputation Sender. - https://community.mimecast.example/docs/DOC-1369#550", "blocked"],
  ["Proofpoint", "greeting", 554, "Blocked - see https://ipcheck.proofpoint.example/?ip=192.0.2.9", "site_down"],
  ["Proofpoint", "rcpt", 550, "5.1.1 User Unknown", "no_mailbox"],
  ["Proofpoint", "body", 554, "5.7.1 The message was rejected because it contains prohibited virus or spam content", "content"],
  [
    "Cisco",
    "mail",
    554,
    "5.7.1 Your access to submit messages to this e-mail system has been rejected; poor SenderBase reputation, see talosintelligence.example",
    "blocked",
  ],
  ["Cisco", "rcpt", 452, "4.1.0 Too many recipients received this hour", "slow_site"],
  ["Symantec", "greeting", 501, "Connection rejected by policy [7.7] 16504, please visit www.messagelabs.example/support for more details", "site_down"],
  ["Trend Micro", "rcpt", 550, "5.7.1 Recipient address rejected by ERS: listed at trendmicro dnsbl", "blocked"],
  // Others
  ["Zoho", "body", 541, "5.4.1 Mail rejected by destination domain", "permanent"],
  ["Fastmail", "rcpt", 550, "5.1.1 <ada@example.com>: Recipient address rejected: User unknown; see https://www.fastmail.example", "no_mailbox"],
  ["ProtonMail", "rcpt", 550, "5.1.1 <ada@proton.example>: Recipient address rejected: Address does not exist", "no_mailbox"],
  ["Comcast", "mail", 554, "comcast 192.0.2.9 Comcast block for spam. Please see http://postmaster.example/error#BL000001", "blocked"],
  [
    "Orange",
    "greeting",
    421,
    "mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104",
    "site_down",
  ],
  ["Orange", "rcpt", 550, "5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416", "no_mailbox"],
  ["Free.fr", "rcpt", 451, "too many errors from your ip (192.0.2.9), please visit http://postmaster.example", "temporary"],
  ["Mail.ru", "rcpt", 550, "Message was not accepted -- invalid mailbox.  Local mailbox ada@mail.example is unavailable: user not found", "no_mailbox"],
  ["Mail.ru", "body", 550, "spam message rejected. Please visit http://help.mail.example/notspam-support/id?c=x", "content"],
  ["Yandex", "rcpt", 550, "5.7.1 No such user!", "no_mailbox"],
  ["Yandex", "body", 554, "5.7.1 [2] Message rejected under suspicion of SPAM; https://ya.example/u/EkMuXrOzvQ", "content"],
  ["qmail", "rcpt", 553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", "relaying"],
  ["qmail", "body", 554, "mail server permanently rejected message (#5.3.0)", "permanent"],
  ["qmail", "dsn", null, "Sorry, no mailbox here by that name. (#5.1.1)", "no_mailbox"],
  ["qmail", "dsn", null, "Sorry, I couldn't find any host named example.invalid. (#5.1.2)", "no_domain"],
  ["Sendmail", "rcpt", 553, "5.3.0 <ada@example.com>... Addressee unknown, relay=[192.0.2.9]", "no_mailbox"],
  ["Sendmail", "rcpt", 550, "5.1.1 <ada@example.com>... User unknown", "no_mailbox"],
  ["Sendmail", "rcpt", 451, "4.7.1 Greylisting in action, please come back in 00:05:00", "greylisted"],
  ["Lotus Domino", "rcpt", 550, "ada@example.com... No such user", "no_mailbox"],
  ["hMailServer", "rcpt", 550, "Unknown user", "no_mailbox"],
  ["Dovecot LMTP", "rcpt", 550, "5.1.1 <ada@example.com> User doesn't exist: ada@example.com", "no_mailbox"],
  ["Dovecot", "body", 552, "5.2.2 <ada@example.com> Quota exceeded (mailbox for user is full)", "mailbox_full"],
  ["Rspamd", "body", 554, "5.7.1 Spam message rejected", "content"],
  ["Rspamd", "body", 451, "4.7.1 Try again later: greylisted", "greylisted"],
  ["OpenSMTPD", "rcpt", 550, "Invalid recipient: <ada@example.com>", "no_mailbox"],
  ["OpenSMTPD", "rcpt", 421, "4.3.0: Temporary Error", "site_down"],
  ["any", "mail", 550, "5.6.7 SMTPUTF8 is required, but was not offered", "unsupported"],
  ["any", "auth", 535, "5.7.8 Authentication credentials invalid", "policy"],
  ["any", "rcpt", 450, "", "temporary"],
  ["any", "rcpt", 550, "", "permanent"],
  ["any", "body", 552, "", "permanent"],
  ["any", "dsn", null, "", "temporary"],
];

test("the table of answers is as large as promised", () => {
  expect(samples.length).toBeGreaterThanOrEqual(120);
});

test.each(samples)("%s at %s: %i %s", (_who, stage, code, text, means) => {
  expect(classifyAnswer({ stage, code, enhanced: null, text }).means).toBe(means);
});

/** Everything in which a server speaks of our address, our name or our volume. */
const ofStanding =
  /spamhaus|spamcop|reputation|block ?list|black ?list|blocked|rbl|banned|rate|volume|frequency|dmarc|\bspf\b|reverse|spam|s3140|unauthenticated|rejected due to/i;

test("no answer about our standing suppresses a recipient", () => {
  const wrong = samples.filter(([, stage, code, text]) => ofStanding.test(text) && classifyAnswer({ stage, code, enhanced: null, text }).suppress);
  expect(wrong).toEqual([]);
});

test.each(["Spamhaus", "IP reputation", "your IP is blacklisted", "rate limit exceeded", "blocked using dnsbl.example"])(
  "%s wins over an unknown mailbox in the same answer",
  (words) => {
    for (const text of [`5.1.1 user unknown; ${words}`, `5.2.1 mailbox disabled (${words})`, `${words}: no such user`]) {
      expect(classifyAnswer({ stage: "rcpt", code: 550, enhanced: null, text })).toMatchObject({ suppress: false });
    }
  },
);

test("only an address that does not exist is suppressed", () => {
  for (const [, stage, code, text, means] of samples) {
    expect([text, classifyAnswer({ stage, code, enhanced: null, text }).suppress]).toEqual([text, means === "no_mailbox" || means === "no_domain"]);
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
])("reads a wish to wait: %s", (text, wait_ms) => {
  expect(classifyAnswer({ stage: "rcpt", code: 451, enhanced: null, text }).wait_ms).toBe(wait_ms);
});
