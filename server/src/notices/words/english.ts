import { nameIn } from "#gateways/index.ts";
import type { Emails, SecurityChange } from "../kinds/facts.ts";
import { backupMissing } from "./backup-missing.ts";
import { callbacksFailing } from "./callbacks-failing.ts";
import { guardEmails } from "./guard-emails.ts";
import { jobSetAside } from "./job-set-aside.ts";
import { known } from "./known.ts";
import { lasting } from "./lasting.ts";
import { merchantEmails } from "./merchant-emails.ts";
import { numberEmails } from "./number-emails.ts";
import { englishOversight, roles } from "./oversight-english.ts";
import { projectEmails } from "./project-emails.ts";
import { refundEmails } from "./refund-emails.ts";

const changes: Record<SecurityChange, string> = {
  password_changed: "Your password was changed",
  email_changed: "The email address of your account was changed",
  two_factor_enabled: "Two-step sign-in was turned on",
  two_factor_disabled: "Two-step sign-in was turned off",
  passkey_added: "A passkey was added to your account",
  passkey_removed: "A passkey was removed from your account",
  recovery_codes_created: "New recovery codes were created; the old ones no longer work",
  recovery_code_used: "A recovery code was used to sign in",
};

const working = (minutes: number | null) =>
  minutes === null ? "The link expires after a while." : `The link expires in ${lasting("en", minutes)}.`;
const addressToo = "If the button doesn't work, copy this link into your browser:";
const account = (host: string) => `You're receiving this email because it concerns your account at ${host}.`;
const team = (project: string, host: string) => `You're receiving this email because you manage ${project} at ${host}.`;

/** All emails in English. The Chinese table has the same shape, which the compiler checks. */
export const englishEmails: Emails = {
  ...englishOversight,
  ...numberEmails.en,
  ...guardEmails.en,
  ...projectEmails.en,

  email_verification: ({ url, minutes }, { host }) => ({
    subject: "Confirm your email address",
    preheader: "One click and your account is ready.",
    title: "Confirm your email address",
    lead: [`Confirm this address to finish setting up your account at ${host}.`],
    button: { label: "Confirm address", url },
    addressToo,
    after: [working(minutes), "If you didn't sign up, you can ignore this email. The account stays inactive unless you confirm."],
    reason: `You're receiving this email because this address was entered at ${host}.`,
  }),

  password_reset: ({ url, minutes }, { host }) => ({
    subject: "Choose a new password",
    preheader: "If you didn't request this, your password hasn't changed.",
    title: "Choose a new password",
    lead: [`Someone requested a new password for your account at ${host}. If it was you, choose one here.`],
    button: { label: "Choose a new password", url },
    addressToo,
    after: [working(minutes), "If you didn't request this, ignore this email; your password hasn't changed. Never share this link."],
    reason: account(host),
  }),

  sign_up_again: ({ url }, { host }) => ({
    subject: "You already have an account",
    preheader: "Sign in with this address, or reset your password.",
    title: "You already have an account",
    lead: [`Someone tried to create an account at ${host} with this address, but one already exists. If it was you, just sign in.`],
    button: { label: "Sign in", url },
    after: ["If you forgot your password, you can reset it there. If it wasn't you, you don't need to do anything; nothing has changed."],
    reason: `You're receiving this email because this address was entered at ${host}.`,
  }),

  invitation: ({ url, merchant, inviter, role, expires_at, verified }, { host, time }) => {
    const team = merchant ?? "a business";
    const title = verified ? `You're invited to ${team}` : "You're invited to a team";
    return {
      subject: title,
      preheader: inviter === null ? `Join ${team} at ${host}.` : `${inviter} invited you to join ${team} at ${host}.`,
      title,
      lead: [
        inviter === null
          ? `${merchant ?? "A business"} invited you to join its team at ${host}.`
          : `${inviter} invited you to join the ${team} team at ${host}.`,
      ],
      ...(role === null ? {} : { facts: [["Your role", roles[role]]] as [string, string][] }),
      button: { label: "View invitation", url },
      addressToo,
      after: [
        ...(expires_at === null ? [] : [`The invitation expires on ${time(expires_at)}.`]),
        ...(verified ? [] : [`This business hasn't been verified by the operator of ${host}.`]),
        "If you don't recognize the sender, you can ignore this email.",
      ],
      reason: `You're receiving this email because this address was invited at ${host}.`,
    };
  },

  sign_in_alert: ({ url, at, device, address }, { host, time }) => ({
    subject: "New sign-in to your account",
    preheader: "If this was you, no action is needed.",
    title: "New sign-in to your account",
    lead: ["Someone signed in to your account from a new device. If this was you, no action is needed."],
    facts: [["Time", time(at)], ...known("Device", device), ...known("IP address", address)],
    button: { label: "Open the dashboard", url },
    after: ["If this wasn't you, sign that device out right away under Your account, then change your password."],
    reason: account(host),
  }),

  security_changed: ({ url, at, change, address }, { host, time }) => ({
    subject: changes[change],
    preheader: "If this was you, no action is needed.",
    title: changes[change],
    lead: [
      "If this was you, no action is needed.",
      ...(change === "two_factor_enabled" ? ["You've been signed out everywhere else."] : []),
    ],
    facts: [["Time", time(at)], ...(address === null ? [] : [["IP address", address] as [string, string]])],
    button: { label: "Open the dashboard", url },
    after: [
      "If this wasn't you, change your password right away under Your account, and sign out everywhere else.",
      ...(change === "password_changed" ? ["Passkeys still work. On the same page, remove any you don't recognize."] : []),
    ],
    reason: account(host),
  }),

  proof_waiting: ({ url, project, count, proofs }, { host, money, time }) => {
    const [first] = proofs;
    const one =
      count === 1 && first !== undefined ? `Review ${money(first.amount).whole} for ${first.reference}` : `${count} payments to review`;
    return {
      subject: one,
      preheader: `${project}: buyers are waiting for an answer.`,
      status: { tone: "waiting", word: "Waiting for review" },
      title: one,
      lead: [
        count === 1
          ? `A buyer at ${project} reported that they paid this order.`
          : `Buyers at ${project} reported that they paid these orders.`,
      ],
      facts: [
        ...(first === undefined ? [] : [[count === 1 ? "Reported" : "Oldest", time(first.at, first.amount.currency)] as [string, string]]),
        ...proofs.map(({ reference, amount }): [string, string] => [reference, money(amount).whole]),
      ],
      ...(count > proofs.length ? { more: `And ${count - proofs.length} more.` } : {}),
      button: { label: "Review now", url },
      after: [],
      reason: team(project, host),
    };
  },

  canceled_order_claimed: ({ url, project, reference, amount, at }, { host, money, time }) => ({
    subject: `Buyer reported paying canceled order ${reference}`,
    preheader: `${project}: look for a transfer of about ${money(amount).whole}.`,
    status: { tone: "waiting", word: "Order canceled" },
    title: `Was the canceled order ${reference} paid?`,
    lead: [
      `A buyer at ${project} reported that they paid this order, although it was canceled.`,
      "Look for the transfer in your account. If it's there, return it outside Tillpost, or add it under Incoming transfers and assign it to an order.",
    ],
    facts: [
      ["Amount", money(amount).whole],
      ["Reported", time(at, amount.currency)],
    ],
    button: { label: "Open the order", url },
    after: [],
    reason: team(project, host),
  }),
  order_paid: ({ url, merchant, amount, reference, description, paid_at, method, contact }, { money, time }) => ({
    subject: `Receipt from ${merchant}: ${money(amount).whole}`,
    preheader: `${merchant} has received your payment. Thank you.`,
    status: { tone: "paid", word: "Paid" },
    title: `Your payment to ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} has received your payment. Thank you.`],
    facts: [
      ...(reference === null ? [] : [["Reference", reference] as [string, string]]),
      ...(description === null ? [] : [["Description", description] as [string, string]]),
      ["Paid on", time(paid_at, amount.currency)],
      ...(method === null ? [] : [["Payment method", nameIn(method, "en")] as [string, string]]),
    ],
    button: { label: "View receipt", url },
    after: [contact === null ? `Questions? Contact ${merchant} where you placed the order.` : `Questions? Contact ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sent this receipt on behalf of ${merchant} to the email address given with the order.`,
  }),

  order_refunded: ({ url, merchant, amount, of, reference, refunded_at, contact }, { money, time }) => ({
    subject: `Refund from ${merchant}: ${money(amount).whole}`,
    preheader: `${merchant} has refunded ${money(amount).whole} to you.`,
    status: { tone: "paid", word: "Refunded" },
    title: `Your refund from ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} has refunded this amount. Depending on how it was sent, it can take a few days to arrive.`],
    facts: [
      ...(reference === null ? [] : [["Reference", reference] as [string, string]]),
      ...(of === null ? [] : [["You paid", money(of).whole] as [string, string]]),
      ["Refunded on", time(refunded_at, amount.currency)],
    ],
    button: { label: "View receipt", url },
    after: [contact === null ? `Questions? Contact ${merchant} where you placed the order.` : `Questions? Contact ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sent this message on behalf of ${merchant} to the email address given with the order.`,
  }),

  ...refundEmails.en,
  "webhook.failing": ({ url, project, endpoint, hours, since, disabled_at }, { host, time }) => ({
    subject: `Your webhook has been failing for ${lasting("en", hours * 60)}`,
    preheader: `${project}: no event is lost, but none is being delivered.`,
    status: { tone: "waiting", word: "Failing" },
    title: `Your webhook has been failing for ${lasting("en", hours * 60)}`,
    lead: ["No event has reached this endpoint in that time. We keep the events and retry, so nothing has been lost so far."],
    facts: [
      ["Endpoint", endpoint],
      ["Project", project],
      ["Since", time(since)],
    ],
    button: { label: "View failed attempts", url },
    after: [`If no delivery succeeds, the webhook will be disabled on ${time(disabled_at)}.`],
    reason: team(project, host),
  }),

  "webhook.disabled": ({ url, project, endpoint, reason }, { host }) => ({
    subject: "Your webhook was disabled",
    preheader: `${project}: events are no longer sent to this endpoint.`,
    status: { tone: "failed", word: "Disabled" },
    title: "Your webhook was disabled",
    lead: [
      reason === "gone"
        ? "The endpoint responded with 410 Gone, which tells us to stop. Events are no longer sent to it."
        : "The endpoint failed for five days without a single success. Events are no longer sent to it.",
    ],
    facts: [
      ["Endpoint", endpoint],
      ["Project", project],
    ],
    button: { label: "Open webhook", url },
    after: ["Events are kept for 30 days. Once your endpoint works again, enable the webhook and replay them."],
    reason: team(project, host),
  }),

  "webhook.callbacks_failing": callbacksFailing.en,

  collection_code_changed: ({ url, project, channel, by, at }, { host, time }) => ({
    subject: `The ${nameIn(channel, "en")} receiving code of ${project} was changed`,
    preheader: "Buyers now pay with a different code. Was this you?",
    title: `Your ${nameIn(channel, "en")} receiving code was changed`,
    lead: [`Buyers at ${project} now pay with the new code. If you or your team did this, no action is needed.`],
    facts: [["Project", project], ["Payment method", nameIn(channel, "en")], ...known("Changed by", by), ["Time", time(at)]],
    button: { label: "Check code", url },
    after: [
      "If you don't recognize this change, turn the code off there right away, then change your passwords: someone may be diverting your payments.",
    ],
    reason: `You're receiving this email because you own ${project} at ${host}.`,
  }),

  ...merchantEmails.en,
  backup_missing: backupMissing.en,
  job_set_aside: jobSetAside.en,

  domain_lost: ({ url, project, domain, missing }, { host }) => ({
    subject: `${domain} is no longer verified`,
    preheader: `${project}: LIVE email from this domain is refused until its records are back.`,
    status: { tone: "failed", word: "Not verified" },
    title: `${domain} is no longer verified`,
    lead: [`DNS records for ${domain} are missing. Until they're back, LIVE email from this domain is refused.`],
    facts: [
      ["Domain", domain],
      ["Project", project],
      ...(missing.length === 0 ? [] : [["Missing records", missing.join(", ")] as [string, string]]),
    ],
    button: { label: "View records", url },
    after: ["Restore the records, then check again on that page. DNS changes can take a while to take effect."],
    reason: team(project, host),
  }),
};
