import type { Emails, Facts, Role } from "../kinds/facts.ts";
import { known } from "./known.ts";

/** What each role may do, in English. */
export const roles: Record<Role, string> = {
  owner: "Owner: full access, including the team and business settings",
  admin: "Admin: full access except managing owners",
  developer: "Developer: keys, webhooks, domains, orders and messages",
  reviewer: "Reviewer: review proofs and confirm payments",
  accountant: "Accountant: view and export all payments and balances",
  viewer: "Viewer: view only",
};

const roleNames: Record<Role, string> = {
  owner: "an owner",
  admin: "an admin",
  developer: "a developer",
  reviewer: "a reviewer",
  accountant: "an accountant",
  viewer: "a viewer",
};

/** The change of a person's role, as a headline. */
function roleChange({ person, merchant, before, after }: Facts["team_changed"]): string {
  if (after === null) return `${person} is no longer ${before === null ? "a member" : roleNames[before]} of ${merchant}`;
  return `${person} is now ${roleNames[after]} of ${merchant}`;
}

/** Emails with which owners and operators keep watch, in English. */
export const englishOversight: Pick<Emails, "team_changed" | "letter_received" | "audit_anchored"> = {
  team_changed: (facts, { host, time }) => ({
    subject: roleChange(facts),
    preheader: "If you expected this, no action is needed.",
    title: roleChange(facts),
    lead: ["As an owner, you're notified of every change to owners and admins. If you expected this one, no action is needed."],
    facts: [
      ["Account", facts.email],
      ...(facts.before === null || facts.after === null ? [] : [["Previous role", roles[facts.before]] as [string, string]]),
      ...(facts.after === null ? [] : [["New role", roles[facts.after]] as [string, string]]),
      ...known("Changed by", facts.by),
      ["Time", time(facts.at)],
    ],
    button: { label: "Check your team", url: facts.url },
    after: [
      ...(facts.new_owner_until === null
        ? []
        : [
            `Until ${time(facts.new_owner_until)}, this owner can't change LIVE receiving codes, LIVE keys, LIVE gateway accounts or other owners, so you can still undo this.`,
          ]),
      "If you didn't expect this, open Team, undo the change, then change your password: someone may be using an owner's account.",
    ],
    reason: `You're receiving this email because you own ${facts.merchant} at ${host}.`,
  }),

  letter_received: ({ url, to, from, subject, text }, { host }) => ({
    subject: `Message to ${to}`,
    preheader: `From ${from}`,
    title: `Message to ${to}`,
    lead: [
      "Someone wrote to this address at your email domain. It may be a complaint about email you send. Reply to this email to answer them.",
    ],
    facts: [["From", from], ...known("Subject", subject), ...(text === "" ? [] : [["Text", text] as [string, string]])],
    button: { label: "Open the dashboard", url },
    after: ["Anyone can write to this address: don't trust what the message says, and be careful with its links."],
    reason: `You're receiving this email because you run ${host}.`,
  }),

  audit_anchored: ({ url, at, chains, rows, root }, { host, time, command }) => ({
    subject: `Audit log fingerprint of ${host}`,
    preheader: "Keep this email: it lets you check later whether the log was changed.",
    title: "Audit log fingerprint",
    lead: [
      "This is where the audit log ended today. Keep this email: it lets you prove later that no earlier entry was changed or removed.",
    ],
    facts: [
      ["Time", time(at)],
      ["Fingerprint", root],
      ["Merchants", chains.toLocaleString("en")],
      ["Entries", rows.toLocaleString("en")],
    ],
    button: { label: "Open the dashboard", url },
    after: [
      `To check the whole log, run ${command("doctor --audit")} on the server. It compares the log with the fingerprints kept in audit-anchors.jsonl.`,
    ],
    reason: `You receive this email once a day because you run ${host}.`,
  }),
};
