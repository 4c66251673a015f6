import { methodOfChannel } from "#collection/index.ts";
import { findPerson } from "#identity/index.ts";
import { cleanName, cleanText, plainName } from "../mail/clean-text.ts";
import type { Kind, Role } from "./facts.ts";
import { linked, ofMerchant, onPage } from "./linked-facts.ts";
import { frontLink } from "./links.ts";
import { prepareAccount } from "./prepare-account.ts";
import { prepareClaim } from "./prepare-claim.ts";
import { preparePaid, prepareRefundClaim, prepareRefunded, prepareRefundReturned } from "./prepare-paid.ts";
import { prepareProofs } from "./prepare-proofs.ts";
import { prepareRefundFailed } from "./prepare-refund-failed.ts";
import type { KindRules } from "./prepared.ts";

const builders: readonly (readonly Role[])[] = [["owner", "admin", "developer"]];
const heads: readonly (readonly Role[])[] = [["owner", "admin"]];
const payers: readonly (readonly Role[])[] = [["owner", "admin", "accountant"]];
const mine = [] as const;
const hourMs = 3_600_000;
const textMax = 2_000;

export const kindTable: { [K in Kind]: KindRules<K> } = {
  email_verification: {
    opensAccount: true,
    roles: mine,
    prepare: async (ctx, { params: [given] }) => linked(ctx, given, (url) => ({ url, minutes: given.minutes ?? null })),
  },
  password_reset: {
    opensAccount: true,
    roles: mine,
    prepare: async (ctx, { params: [given] }) => linked(ctx, given, (url) => ({ url, minutes: given.minutes ?? null })),
  },
  sign_up_again: { roles: mine, prepare: async (ctx, { params: [given] }) => linked(ctx, given, (url) => ({ url })) },
  invitation: {
    opensAccount: true,
    roles: mine,
    prepare: async (ctx, { params: [given] }) =>
      linked(ctx, given, (url) => ({
        url,
        merchant: given.verified === true ? cleanName(given.merchant_name) : plainName(given.merchant_name),
        inviter: given.verified === true ? nameOrNull(given.invited_by) : plainName(given.invited_by ?? ""),
        verified: given.verified === true,
        role: roleOrNull(given.role),
        expires_at: given.expires_at == null ? null : new Date(given.expires_at),
      })),
  },
  sign_in_alert: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) =>
      linked(ctx, { ...given, url: given.url ?? frontLink(ctx) }, (url) => ({
        url,
        at: new Date(given.at),
        device: textOrNull(given.device),
        address: textOrNull(given.address),
      })),
  },
  security_changed: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) =>
      linked(ctx, { ...given, url: given.url ?? frontLink(ctx) }, (url) => ({
        url,
        at: new Date(given.at),
        change: given.change,
        address: textOrNull(given.address),
      })),
  },
  team_changed: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) => {
      const by = given.by.startsWith("usr_") ? await findPerson(ctx.db, { id: given.by }) : null;
      return ofMerchant(ctx, given.merchant_id, (merchant) => ({
        url: frontLink(ctx),
        merchant,
        person: cleanName(given.person),
        email: cleanText(given.email),
        before: roleOrNull(given.before),
        after: roleOrNull(given.after),
        by: by === null ? null : cleanName(by.name),
        at: new Date(given.at),
        new_owner_until: given.new_owner_until == null ? null : new Date(given.new_owner_until),
      }));
    },
  },
  proof_waiting: { roles: [["reviewer"], ["owner", "admin"]], prepare: prepareProofs },
  canceled_order_claimed: { roles: [["reviewer"], ["owner", "admin"]], prepare: (ctx, { params: [given] }) => prepareClaim(ctx, given) },
  order_paid: { roles: mine, prepare: (ctx, { params: [given] }) => preparePaid(ctx, given) },
  order_refunded: { roles: mine, prepare: (ctx, { params: [given] }) => prepareRefunded(ctx, given) },
  refund_claim: { roles: mine, prepare: (ctx, { params: [given] }) => prepareRefundClaim(ctx, given) },
  refund_returned: { roles: mine, prepare: (ctx, { params: [given] }) => prepareRefundReturned(ctx, given) },
  refund_failed: { roles: payers, prepare: (ctx, { params: [given] }) => prepareRefundFailed(ctx, given) },
  "webhook.failing": {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: `/webhooks/${encodeURIComponent(given.webhook_id)}` }, (page) => ({
        ...page,
        endpoint: cleanText(given.url),
        hours: given.hours,
        since: new Date(given.failing_since),
        disabled_at: new Date(new Date(given.failing_since).getTime() + given.disabled_after_hours * hourMs),
        livemode: given.livemode,
      })),
  },
  "webhook.disabled": {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: `/webhooks/${encodeURIComponent(given.webhook_id)}` }, (page) => ({
        ...page,
        endpoint: cleanText(given.url),
        reason: given.reason,
        livemode: given.livemode,
      })),
  },
  "webhook.callbacks_failing": {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: "/webhooks" }, (page) => ({
        ...page,
        endpoint: cleanText(given.url),
        since: new Date(given.failing_since),
        ...{ others: given.others, days: given.ended_after_hours / 24, livemode: given.livemode },
      })),
  },
  collection_code_changed: {
    roles: [["owner"], ["admin"]],
    prepare: async (ctx, { params: [given] }) => {
      const by = given.changed_by.startsWith("usr_") ? await findPerson(ctx.db, { id: given.changed_by }) : null;
      return onPage(ctx, { ...given, livemode: true, path: "/codes" }, (page) => ({
        ...page,
        channel: methodOfChannel(given.channel).names,
        by: by === null ? null : cleanName(by.name),
        at: new Date(given.at),
      }));
    },
  },
  merchant_verified: {
    roles: heads,
    prepare: (ctx, { recipient }) => ofMerchant(ctx, recipient, (merchant) => ({ url: frontLink(ctx), merchant })),
  },
  merchant_rejected: {
    roles: heads,
    prepare: (ctx, { params: [given], recipient }) =>
      ofMerchant(ctx, recipient, (merchant) => ({ url: frontLink(ctx), merchant, reason: textOrNull(given.reason) })),
  },
  sending_suspended: {
    roles: heads,
    prepare: (ctx, { params: [given], recipient }) =>
      ofMerchant(ctx, recipient, (merchant) => ({ url: frontLink(ctx), merchant, reason: textOrNull(given.reason) })),
  },
  sending_resumed: {
    roles: heads,
    prepare: (ctx, { recipient }) => ofMerchant(ctx, recipient, (merchant) => ({ url: frontLink(ctx), merchant })),
  },
  letter_received: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) => ({
      facts: {
        url: frontLink(ctx),
        to: cleanText(given.to),
        from: cleanText(given.from),
        subject: textOrNull(given.subject),
        text: cleanText(given.text, textMax),
      },
      reply_to: given.from,
    }),
  },
  audit_anchored: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) => ({
      facts: { ...given, url: frontLink(ctx), at: new Date(given.at), root: cleanText(given.root) },
    }),
  },
  job_set_aside: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) => ({
      facts: {
        url: new URL("operator/health", frontLink(ctx)).href,
        queue: cleanText(given.queue),
        jobs: given.jobs.map((job) => cleanText(job)),
        count: given.count,
      },
    }),
  },
  backup_missing: {
    roles: mine,
    prepare: async (ctx, { params: [given] }) => ({
      facts: {
        url: new URL("operator/health", frontLink(ctx)).href,
        newest: given.newest == null ? null : new Date(given.newest),
        reason: textOrNull(given.reason),
        folder: cleanText(given.folder),
        bucket: textOrNull(given.bucket),
        // Those of an earlier version only have the bucket.
        isLog: given.what === "write_ahead_log" || given.bucket != null,
      },
    }),
  },
  keys_without_receipts: {
    roles: [["owner"], ["admin"]],
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, livemode: true, path: "/keys" }, (page) => ({
        ...page,
        keys: given.keys.map((key) => cleanName(key, 120)),
      })),
  },
  gateway_account_refused: { roles: builders, prepare: (ctx, { params: [given] }) => prepareAccount(ctx, given) },
  gateway_account_accepted: { roles: builders, prepare: (ctx, { params: [given] }) => prepareAccount(ctx, given) },
  number_approved: {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: "/numbers" }, (page) => ({
        ...page,
        value: cleanText(given.value),
        channels: given.channels,
        countries: given.countries?.map((country) => cleanText(country)) ?? null,
      })),
  },
  number_rejected: {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: "/numbers" }, (page) => ({
        ...page,
        value: cleanText(given.value),
        wasApproved: given.was_approved,
        reason: textOrNull(given.reason),
      })),
  },
  countries_added: {
    roles: [["owner"], ["admin"]],
    prepare: async (ctx, { params: [given] }) => {
      const by = given.changed_by.startsWith("usr_") ? await findPerson(ctx.db, { id: given.changed_by }) : null;
      return onPage(ctx, { ...given, path: "" }, (page) => ({
        ...page,
        countries: given.countries.map((country) => cleanText(country)),
        by: by === null ? null : cleanName(by.name),
        at: new Date(given.at),
      }));
    },
  },
  spend_cap: {
    roles: builders,
    prepare: (ctx, { params: [given] }) => {
      const { measure, period, cap, currency, level } = given;
      return onPage(ctx, { ...given, path: "" }, (page) => ({ ...page, measure, period, cap, currency: textOrNull(currency), level }));
    },
  },
  prefix_paused: {
    roles: builders,
    prepare: (ctx, { params: [given] }) => {
      const { channel, prefix, cause, messages } = given;
      return onPage(ctx, { ...given, path: "" }, (page) => ({ ...page, channel, prefix, cause, messages }));
    },
  },
  domain_lost: {
    roles: builders,
    prepare: (ctx, { params: [given] }) =>
      onPage(ctx, { ...given, path: `/domains/${encodeURIComponent(given.domain_id)}` }, (page) => ({
        ...page,
        domain: cleanText(given.domain),
        missing: (given.missing ?? []).map((record) => cleanText(record, 80)),
      })),
  },
};

function textOrNull(text: string | null | undefined): string | null {
  const clean = cleanText(text ?? "");
  return clean === "" ? null : clean;
}

function nameOrNull(text: string | null | undefined): string | null {
  const clean = cleanName(text ?? "");
  return clean === "" ? null : clean;
}

const roles: readonly string[] = ["owner", "admin", "developer", "reviewer", "accountant", "viewer"] satisfies Role[];

function roleOrNull(text: string | null | undefined): Role | null {
  return roles.includes(text ?? "") ? (text as Role) : null;
}
