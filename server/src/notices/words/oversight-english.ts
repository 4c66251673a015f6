import type { Facts, Letters, Role } from "../kinds/facts.ts";

/** What each role may do, in English. */
export const roles: Record<Role, string> = {
  owner: "Owner: everything, members included",
  admin: "Admin: everything except managing owners",
  developer: "Developer: keys, webhooks, domains, orders and messages",
  reviewer: "Reviewer: check proofs and confirm payments",
  accountant: "Accountant: see and export all money",
  viewer: "Viewer: read",
};

const roleNames: Record<Role, string> = {
  owner: "an owner",
  admin: "an admin",
  developer: "a developer",
  reviewer: "a reviewer",
  accountant: "an accountant",
  viewer: "a viewer",
};

/** What became of somebody's role, as a headline. */
function roleChange({ person, merchant, before, after }: Facts["team_changed"]): string {
  if (after === null) return `${person} is no longer ${before === null ? "a member" : roleNames[before]} of ${merchant}`;
  return `${person} is now ${roleNames[after]} of ${merchant}`;
}

/** Mails by which owners and operators keep watch, in English. */
export const englishOversight: Pick<Letters, "team_changed" | "letter_received" | "audit_anchored"> = {
  team_changed: (facts, { host, time }) => ({
    subject: roleChange(facts),
    preheader: "Did you expect this? Then there is nothing to do.",
    title: roleChange(facts),
    lead: ["You own this account, so we tell you of every change of its owners and admins. If you expected this one, there is nothing to do."],
    facts: [
      ["Account", facts.email],
      ...(facts.before === null || facts.after === null ? [] : [["Role before", roles[facts.before]] as [string, string]]),
      ...(facts.after === null ? [] : [["Role", roles[facts.after]] as [string, string]]),
      ...(facts.by === null ? [] : [["Changed by", facts.by] as [string, string]]),
      ["Time", time(facts.at)],
    ],
    button: { label: "Check your team", url: facts.url },
    after: [
      ...(facts.new_owner_until === null
        ? []
        : [
            `Until ${time(facts.new_owner_until)} this owner cannot change LIVE receiving codes, LIVE keys, LIVE gateway accounts or other owners: you can still undo it.`,
          ]),
      "If you did not expect this, open Team, put it right, then change your password: someone may be using an owner's account.",
    ],
    reason: `You get this mail because you own ${facts.merchant} at ${host}.`,
  }),

  letter_received: ({ url, to, from, subject, text }, { host }) => ({
    subject: `A letter to ${to}`,
    preheader: `From ${from}`,
    title: `A letter to ${to}`,
    lead: ["Someone wrote to this address of your mail domain. It may be a complaint about mail that you send. Reply to this mail to answer them."],
    facts: [
      ["From", from],
      ...(subject === null ? [] : [["Subject", subject] as [string, string]]),
      ...(text === "" ? [] : [["Text", text] as [string, string]]),
    ],
    button: { label: "Open the dashboard", url },
    after: ["Anyone can write to this address: trust nothing that the letter claims, and be careful with its links."],
    reason: `You get this mail because you run ${host}.`,
  }),

  audit_anchored: ({ url, at, chains, rows, root }, { host, time }) => ({
    subject: `Audit log fingerprint of ${host}`,
    preheader: "Keep this mail: it shows later whether the log was changed.",
    title: "Audit log fingerprint",
    lead: ["This is where the audit log ended today. Keep this mail: it lets you show later that nothing before it was changed or removed."],
    facts: [
      ["Time", time(at)],
      ["Fingerprint", root],
      ["Chains", String(chains)],
      ["Entries", String(rows)],
    ],
    button: { label: "Open the dashboard", url },
    after: ["To check the whole log, run doctor --audit on the server. It compares the log with the fingerprints kept in audit-anchors.jsonl."],
    reason: `You get this mail once a day because you run ${host}.`,
  }),
};
