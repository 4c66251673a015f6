/** A delivery report as Postfix writes one. */
export function dsn({
  action = "failed",
  status = "5.1.1",
  says = "smtp; 550 5.1.1 User unknown",
  mailbox = "ada@lovelace.dev",
} = {}): string {
  return [
    "From: MAILER-DAEMON@mx.example.com",
    "Subject: Undelivered",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B"',
    "",
    "--B",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.com",
    "",
    `Final-Recipient: rfc822; ${mailbox}`,
    "Original-Recipient: rfc822;ada@lovelace.dev",
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: ${says}`,
    "",
    "--B--",
    "",
  ].join("\r\n");
}

/** A report in the Abuse Reporting Format, a complaint by default, with additional fields and headers of the message that it is about. */
export function complaint({
  type = "abuse",
  fields = [],
  headers = [],
}: {
  type?: string;
  fields?: string[];
  headers?: string[];
} = {}): string {
  return [
    "From: feedback@provider.example",
    "Subject: Complaint",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="B"',
    "",
    "--B",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${type}`,
    "Version: 1",
    ...fields,
    "",
    "--B",
    "Content-Type: message/rfc822",
    "",
    ...headers,
    "Subject: Your order",
    "",
    "Hello",
    "",
    "--B--",
    "",
  ].join("\r\n");
}
