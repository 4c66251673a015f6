import { nameIn } from "#gateways/index.ts";
import type { Letters, SecurityChange } from "../kinds/facts.ts";
import { backupMissing } from "./backup-missing.ts";
import { guardLetters } from "./guard-letters.ts";
import { jobSetAside } from "./job-set-aside.ts";
import { keysWithoutReceipts } from "./keys-without-receipts.ts";
import { lasting } from "./lasting.ts";
import { numberLetters } from "./number-letters.ts";
import { englishOversight, roles } from "./oversight-english.ts";
import { refundLetters } from "./refund-letters.ts";

const changes: Record<SecurityChange, string> = {
  password_changed: "Your password was changed",
  email_changed: "The e-mail address of your account was changed",
  two_factor_enabled: "Two-step sign-in was turned on",
  two_factor_disabled: "Two-step sign-in was turned off",
  passkey_added: "A passkey was added to your account",
  passkey_removed: "A passkey was removed from your account",
  recovery_codes_created: "New recovery codes were made; the old ones no longer work",
  recovery_code_used: "A recovery code was used to sign in",
};

const working = (minutes: number | null) => (minutes === null ? "The link works for a limited time." : `The link works for ${lasting("en", minutes)}.`);
const addressToo = "If the button does not open, copy this address into your browser:";
const account = (host: string) => `You get this mail because it concerns your account at ${host}.`;
const team = (project: string, host: string) => `You get this mail because you look after ${project} at ${host}.`;

/** Every mail in English. The Chinese table has the same shape, which the compiler checks. */
export const englishLetters: Letters = {
  ...englishOversight,
  ...numberLetters.en,
  ...guardLetters.en,

  email_verification: ({ url, minutes }, { host }) => ({
    subject: "Confirm your e-mail address",
    preheader: "One click, and your account is ready.",
    title: "Confirm your e-mail address",
    lead: [`Please confirm that this address is yours. Then your account at ${host} is ready.`],
    button: { label: "Confirm address", url },
    addressToo,
    after: [working(minutes), "If you did not open an account, do nothing: without your click it stays closed."],
    reason: `You get this mail because this address was entered at ${host}.`,
  }),

  password_reset: ({ url, minutes }, { host }) => ({
    subject: "Choose a new password",
    preheader: "If you did not ask for this, your password stays as it is.",
    title: "Choose a new password",
    lead: [`Somebody asked for a new password for your account at ${host}. If it was you, go on here.`],
    button: { label: "Choose a new password", url },
    addressToo,
    after: [working(minutes), "If you did not ask, do nothing: your password stays as it is. Never pass this link on to anyone."],
    reason: account(host),
  }),

  sign_up_again: ({ url }, { host }) => ({
    subject: "You already have an account",
    preheader: "Sign in with this address, or choose a new password.",
    title: "You already have an account",
    lead: [`Somebody tried to open an account at ${host} with this address, but there is one already. If it was you, just sign in.`],
    button: { label: "Sign in", url },
    after: ["If you forgot your password, you can choose a new one there. If it was not you, there is nothing to do: nothing was changed."],
    reason: `You get this mail because this address was entered at ${host}.`,
  }),

  invitation: ({ url, merchant, inviter, role, expires_at, verified }, { host, time }) => {
    const team = merchant ?? "a business";
    const title = verified ? `You are invited to ${team}` : "You are invited to a team";
    return {
      subject: title,
      preheader: inviter === null ? `Join ${team} at ${host}.` : `${inviter} asks you to join ${team} at ${host}.`,
      title,
      lead: [
        inviter === null ? `${merchant ?? "A business"} asks you to join its team at ${host}.` : `${inviter} asks you to join the team of ${team} at ${host}.`,
      ],
      ...(role === null ? {} : { facts: [["Your role", roles[role]]] as [string, string][] }),
      button: { label: "See the invitation", url },
      addressToo,
      after: [
        ...(expires_at === null ? [] : [`The invitation is open until ${time(expires_at)}.`]),
        ...(verified ? [] : [`This business has not been verified by the operator of ${host}.`]),
        "If you do not know who this is, do nothing: nothing happens without you.",
      ],
      reason: `You get this mail because this address was invited at ${host}.`,
    };
  },

  sign_in_alert: ({ url, at, device, address }, { host, time }) => ({
    subject: "New sign-in to your account",
    preheader: "Was it you? Then there is nothing to do.",
    title: "New sign-in to your account",
    lead: ["Somebody signed in to your account with a device that we had not seen before. If it was you, there is nothing to do."],
    facts: [
      ["Time", time(at)],
      ...(device === null ? [] : [["Device", device] as [string, string]]),
      ...(address === null ? [] : [["From", address] as [string, string]]),
    ],
    button: { label: "Open the dashboard", url },
    after: ["If it was not you, end that sign-in at once, under Your account, then choose a new password."],
    reason: account(host),
  }),

  security_changed: ({ url, at, change, address }, { host, time }) => ({
    subject: changes[change],
    preheader: "Was it you? Then there is nothing to do.",
    title: changes[change],
    lead: ["If it was you, there is nothing to do."],
    facts: [["Time", time(at)], ...(address === null ? [] : [["From", address] as [string, string]])],
    button: { label: "Open the dashboard", url },
    after: [
      "If it was not you, choose a new password at once, under Your account, and end all other sign-ins.",
      ...(change === "password_changed" ? ["Passkeys sign in as before: remove there any that you do not know."] : []),
    ],
    reason: account(host),
  }),

  proof_waiting: ({ url, project, count, proofs }, { host, money, time }) => {
    const [first] = proofs;
    const one = count === 1 && first !== undefined ? `Review ${money(first.amount).whole} for ${first.reference}` : `${count} payments wait for your review`;
    return {
      subject: one,
      preheader: `${project}: buyers wait for an answer.`,
      status: { tone: "waiting", word: "Waiting for review" },
      title: one,
      lead: [count === 1 ? `A buyer of ${project} says that this order is paid.` : `Buyers of ${project} say that these orders are paid.`],
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
    subject: `Buyer says canceled order ${reference} was paid`,
    preheader: `${project}: look for a transfer of about ${money(amount).whole}.`,
    status: { tone: "waiting", word: "Order canceled" },
    title: `Was canceled order ${reference} paid?`,
    lead: [
      `A buyer of ${project} says that they paid this order although it was canceled.`,
      "Look for the transfer in your account. If it's there, return it outside of Tillpost, or add it under Incoming transfers and decide what it's for.",
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
    preheader: `${merchant} has your payment. Thank you.`,
    status: { tone: "paid", word: "Paid" },
    title: `Your payment to ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} has your payment. Thank you.`],
    facts: [
      ...(reference === null ? [] : [["Reference", reference] as [string, string]]),
      ...(description === null ? [] : [["For", description] as [string, string]]),
      ["Paid at", time(paid_at, amount.currency)],
      ...(method === null ? [] : [["Paid with", nameIn(method, "en")] as [string, string]]),
    ],
    button: { label: "View receipt", url },
    after: [contact === null ? `Questions? Reach ${merchant} where you placed the order.` : `Questions? Write to ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sends this receipt for ${merchant}, because this address was given with the order.`,
  }),

  order_refunded: ({ url, merchant, amount, of, reference, refunded_at, contact }, { money, time }) => ({
    subject: `Refund from ${merchant}: ${money(amount).whole}`,
    preheader: `${merchant} has paid ${money(amount).whole} back to you.`,
    status: { tone: "paid", word: "Refunded" },
    title: `Your refund from ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} has paid this amount back to you. Depending on how it was sent, it can take some days to arrive.`],
    facts: [
      ...(reference === null ? [] : [["Reference", reference] as [string, string]]),
      ...(of === null ? [] : [["You paid", money(of).whole] as [string, string]]),
      ["Paid back", time(refunded_at, amount.currency)],
    ],
    button: { label: "View receipt", url },
    after: [contact === null ? `Questions? Reach ${merchant} where you placed the order.` : `Questions? Write to ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sends this message for ${merchant}, because this address was given with the order.`,
  }),

  ...refundLetters.en,
  "webhook.failing": ({ url, project, endpoint, hours, since, disabled_at }, { host, time }) => ({
    subject: `Your webhook has been failing for ${lasting("en", hours * 60)}`,
    preheader: `${project}: nothing is lost, but nothing arrives.`,
    status: { tone: "waiting", word: "Failing" },
    title: `Your webhook has been failing for ${lasting("en", hours * 60)}`,
    lead: ["No event has reached this address in that time. Events are kept and tried again, so nothing is lost so far."],
    facts: [
      ["Address", endpoint],
      ["Project", project],
      ["Since", time(since)],
    ],
    button: { label: "See what came back", url },
    after: [`If no delivery succeeds, the webhook is turned off on ${time(disabled_at)}.`],
    reason: team(project, host),
  }),

  "webhook.disabled": ({ url, project, endpoint, reason }, { host }) => ({
    subject: "Your webhook was turned off",
    preheader: `${project}: events no longer go to this address.`,
    status: { tone: "failed", word: "Turned off" },
    title: "Your webhook was turned off",
    lead: [
      reason === "gone"
        ? "Its address answered 410 Gone, which asks us to stop. No events go there any more."
        : "Its address failed for five days without one success. No events go there any more.",
    ],
    facts: [
      ["Address", endpoint],
      ["Project", project],
    ],
    button: { label: "Open the webhook", url },
    after: ["Events stay for 30 days. Once the address works again, turn the webhook on and replay them."],
    reason: team(project, host),
  }),

  collection_code_changed: ({ url, project, channel, by, at }, { host, time }) => ({
    subject: `The ${nameIn(channel, "en")} receiving code of ${project} was changed`,
    preheader: "Buyers pay to another code from now on. Was it you?",
    title: `Your ${nameIn(channel, "en")} receiving code was changed`,
    lead: [`From now on, buyers of ${project} pay to the new code. If you or your team did this, there is nothing to do.`],
    facts: [["Project", project], ["Channel", nameIn(channel, "en")], ...(by === null ? [] : [["Changed by", by] as [string, string]]), ["Time", time(at)]],
    button: { label: "Check the code", url },
    after: ["If you do not recognize this, turn the channel off there at once, then change your passwords: somebody may be diverting your takings."],
    reason: `You get this mail because you own ${project} at ${host}.`,
  }),

  merchant_verified: ({ url, merchant }, { host }) => ({
    subject: `${merchant} is verified`,
    preheader: "You can take real payments now.",
    status: { tone: "paid", word: "Verified" },
    title: `${merchant} is verified`,
    lead: ["You can take real payments and send real messages now. Switch to LIVE, make a LIVE key and set your LIVE receiving codes."],
    button: { label: "Open the dashboard", url },
    after: [],
    reason: team(merchant, host),
  }),

  merchant_rejected: ({ url, merchant, reason }, { host }) => ({
    subject: `${merchant} could not be verified`,
    preheader: "Real payments stay closed. TEST works as before.",
    status: { tone: "failed", word: "Not verified" },
    title: `${merchant} could not be verified`,
    lead: ["Real payments and messages stay closed. TEST works as before, and nothing you set up is lost."],
    ...(reason === null ? {} : { facts: [["Reason", reason]] as [string, string][] }),
    button: { label: "Open the dashboard", url },
    after: ["Mend what the reason names, then ask whoever runs this installation to look again."],
    reason: team(merchant, host),
  }),

  sending_suspended: ({ url, merchant, reason }, { host }) => ({
    subject: `LIVE messages of ${merchant} are suspended`,
    preheader: "New ones are refused; what is queued waits. TEST works as before.",
    status: { tone: "failed", word: "Suspended" },
    title: `LIVE messages of ${merchant} are suspended`,
    lead: ["New LIVE messages of all your projects are refused, and what is queued waits. Orders and payments go on, and TEST works as before."],
    ...(reason === null ? {} : { facts: [["Reason", reason]] as [string, string][] }),
    button: { label: "Open the dashboard", url },
    after: ["Mend what the reason names, then ask whoever runs this installation to look again. What has expired by then is not sent."],
    reason: team(merchant, host),
  }),

  sending_resumed: ({ url, merchant }, { host }) => ({
    subject: `${merchant} can send LIVE messages again`,
    preheader: "What waited is on its way.",
    status: { tone: "paid", word: "Resumed" },
    title: `${merchant} can send LIVE messages again`,
    lead: ["The suspension is lifted. What waited and has not expired is on its way, and new messages are accepted."],
    button: { label: "Open the dashboard", url },
    after: [],
    reason: team(merchant, host),
  }),

  backup_missing: backupMissing.en,
  job_set_aside: jobSetAside.en,
  keys_without_receipts: keysWithoutReceipts.en,

  domain_lost: ({ url, project, domain, missing }, { host }) => ({
    subject: `${domain} is no longer verified`,
    preheader: `${project}: LIVE e-mail from this domain is refused until its records are back.`,
    status: { tone: "failed", word: "Not verified" },
    title: `${domain} is no longer verified`,
    lead: [`Records of ${domain} are missing from DNS. Until they are back, LIVE e-mail from this domain is refused.`],
    facts: [["Domain", domain], ["Project", project], ...(missing.length === 0 ? [] : [["Missing", missing.join(", ")] as [string, string]])],
    button: { label: "See the records", url },
    after: ["Put the records back, then check again on that page. A change in DNS can take a while to be seen."],
    reason: team(project, host),
  }),
};
