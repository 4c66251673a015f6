import { assetUrl, findAsset } from "#assets/index.ts";
import { chooseAccounts, type PaymentMethod, takesCurrency } from "#gateways/index.ts";
import { findMerchant } from "#identity/index.ts";
import {
  awayOf,
  codeOf,
  findByToken,
  findOpenMethods,
  findUsualReviewMinutes,
  gatewayData,
  inBuyersOrder,
  isDemo,
  type Linked,
  personalData,
  watchPayments,
} from "#orders/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { findProject, type ProjectRow } from "#projects/index.ts";
import { isActionOver, payState } from "./pay-state.ts";
import type { PaySession, PayState, PayView } from "./pay-view.ts";

/** What the holder of a link may see of its payment. Throws payment_link_not_found. */
export async function viewPayment(ctx: Ctx, input: { token: string }): Promise<PayView> {
  return (await viewPaymentAt(ctx, input)).view;
}

/** Like `viewPayment`, with the time of that state: the page counts down from it. `isBack`: the buyer comes back from the provider. */
export async function viewPaymentAt(ctx: Ctx, input: { token: string; isBack?: boolean }): Promise<{ view: PayView; now: Date }> {
  const linked = await findByToken(ctx, input.token);
  await watchGateway(ctx, { ...linked, isBack: input.isBack === true });
  return { view: await describePayment(ctx, linked), now: linked.now };
}

/** The page is open: a worker polls the provider soon. The page is shown even if that can't be stored. */
async function watchGateway(ctx: Ctx, { order, session, claims, isBack }: Linked & { isBack: boolean }): Promise<void> {
  if (claims.length === 0 && (session === null || !atGateway(session))) return;
  await watchPayments(ctx, [order], { isBack }).catch((err: unknown) =>
    ctx.log.warn({ err, order: order.id }, "a watched payment couldn't be recorded"),
  );
}

/** Whether a provider is expected to report the session's result. */
function atGateway(session: NonNullable<Linked["session"]>): boolean {
  return personalData(session) === null && (session.status === "pending" || session.status === "processing");
}

async function describePayment(ctx: Ctx, linked: Linked): Promise<PayView> {
  const { order, link, voucher } = linked;
  const state = payState(linked);
  const project = findProject(ctx.db, order.project_id);
  const [merchant, offered, usual] = await Promise.all([
    describeMerchant(ctx, order, project),
    openMethods(ctx, linked, project),
    state === "checking" ? findUsualReviewMinutes(ctx.db, order) : null,
  ]);
  return {
    object: "payment_page",
    token: link.token,
    livemode: order.livemode,
    version: `${order.version}-${state}${state === "pay" && isActionOver(linked) ? "-over" : ""}`,
    locale: order.locale,
    state,
    merchant,
    order: describeOrder(linked, state),
    refund_claims: linked.claims,
    channels: offered.map(({ name }) => name),
    demo_channels: offered.filter(({ demo }) => demo).map(({ name }) => name),
    session: describeSession(ctx, linked, state),
    rejection:
      order.rejection === null || state === "paid" ? null : { reason_code: order.rejection.reason_code, note: order.rejection.note },
    reported_at: state === "checking" ? (linked.session?.reported_at ?? null) : state === "canceled" ? order.claimed_at : null,
    proof: voucher === null || voucher.status !== "submitted" ? null : { submitted_at: voucher.created_at },
    usual_review_minutes: usual,
    can_report: canReport(linked, state),
    can_withdraw: order.status === "pending_verify" && link.revoked_at === null && order.expires_at > linked.now,
    can_prove: canReport(linked, state) || order.status === "pending_verify" || (state === "canceled" && linked.session !== null),
    simulate: !order.livemode && state !== "paid" && state !== "canceled",
  };
}

function describeOrder({ order, canceled, returned_minor }: Linked, state: PayState): PayView["order"] {
  const isReversed = order.flags.includes("payment_reversed");
  // What the buyer sent, wherever it is in the books. A reversal doesn't concern the buyer.
  const sent = isReversed ? order.amount_minor : order.amount_received_minor + order.amount_held_minor;
  return {
    reference: order.reference,
    description: order.description,
    amount_minor: order.amount_minor,
    currency: order.currency,
    exponent: order.exponent,
    received_minor: sent,
    rest_minor: Math.max(0, order.amount_minor - sent),
    held_minor: canceled?.held_minor ?? 0,
    refunded_minor: order.amount_refunded_minor,
    returned_minor,
    has_receipt: state === "paid" && !isReversed,
    expires_at: order.expires_at,
    paid_at: order.paid_at,
    paid_late: order.flags.includes("paid_late"),
    return_url: order.return_url,
  };
}

/** Money may be on its way if a code was shown or time ran out; on a page that never showed a code there is nothing to report. */
function canReport(linked: Linked, state: PayState): boolean {
  if ((state === "pay" || state === "choose") && linked.session !== null && personalData(linked.session) === null)
    return linked.order.rejection !== null;
  if (state === "canceled") return linked.session !== null && linked.order.claimed_at === null;
  if (state === "choose") return linked.session !== null || linked.order.rejection !== null;
  return state === "pay" || state === "expired" || state === "revoked" || state === "failed";
}

/** The code itself is only included while it can be paid. */
function describeSession(ctx: Ctx, linked: Linked, state: PayState): PaySession | null {
  const { session } = linked;
  const method = session === null ? null : ctx.methods.find(session.method);
  if (session === null || method === null) return null;
  const personal = personalData(session);
  const code = state === "pay" && !isActionOver(linked) ? codeOf(session) : null;
  return {
    gateway: session.gateway,
    method: method.name,
    kind: method.kind,
    demo: isDemo(session),
    leads_away: state === "pay" && awayOf(session) !== null,
    device: gatewayData(session)?.device ?? null,
    in_browser: gatewayData(session)?.in_browser ?? false,
    status: session.status,
    underpaid: session.failure_code === "underpaid",
    outcome_unknown: session.failure_code === "outcome_unknown",
    payable_amount_minor: session.payable_amount_minor,
    remark_code: personal?.remark_code ?? null,
    payee_name: personal?.payee_name ?? null,
    qr_payload: code?.qr_payload ?? null,
    instructions: personal?.instructions ?? {},
    expires_at: (code === null ? null : linked.action_expires_at) ?? session.expires_at,
  };
}

/** A method as offered to a buyer. */
interface Offered {
  name: string;
  /** Whether its provider is simulated. */
  demo: boolean;
}

/** The methods that can take this order; the last used one remains, so that a buyer can choose it in a report after it was closed. */
async function openMethods(ctx: Ctx, linked: Linked, project: Promise<ProjectRow | null>): Promise<Offered[]> {
  const { order, canceled } = linked;
  const fitting = ctx.methods.all.filter((method) => canceled?.gateways.includes(method.gateway) ?? takesCurrency(method, order.currency));
  if (fitting.length === 0) return [];
  const [open, row] = await Promise.all([canceled === null ? findOpenMethods(ctx, order) : null, project]);
  const ordered = inBuyersOrder(fitting, row?.settings);
  if (open === null) return ordered.map(({ name }) => ({ name, demo: false }));
  const state = payState(linked);
  const used = state === "choose" || state === "pay" ? undefined : linked.session?.method;
  const offered = ordered.filter((method) => open.includes(method) || method.name === used);
  return (await Promise.all(offered.map((method) => offerOf(ctx, linked, method)))).filter((offer) => offer !== null);
}

/** The method as offered; null if no account accepts the amount still due, or its provider doesn't respond at the moment. */
async function offerOf(ctx: Ctx, { order, session }: Linked, { kind, name, gateway }: PaymentMethod): Promise<Offered | null> {
  if (session !== null && name === session.method) return { name, demo: isDemo(session) };
  if (kind !== "gateway") return { name, demo: false };
  const amount = { amount_minor: order.amount_minor - order.amount_held_minor, currency: order.currency };
  const [first] = await chooseAccounts(ctx, order, { gateway, amount, key: order.id });
  return first === undefined ? null : { name, demo: first.demo };
}

/** A project has one look in both environments, whichever its picture was uploaded in. */
async function findLogo(ctx: Ctx, { project_id, livemode }: Tenant, id: string): ReturnType<typeof findAsset> {
  return (await findAsset(ctx.db, { project_id, livemode }, id)) ?? findAsset(ctx.db, { project_id, livemode: !livemode }, id);
}

/** The merchant with its project's branding. */
async function describeMerchant(ctx: Ctx, tenant: Tenant, reading: Promise<ProjectRow | null>): Promise<PayView["merchant"]> {
  const project = await reading;
  const branding = project?.settings.branding ?? {};
  const logoId = branding.logo_asset_id;
  const [merchant, logo] = await Promise.all([
    branding.display_name !== undefined || project === null ? null : findMerchant(ctx.db, project.merchant_id),
    logoId === undefined ? null : findLogo(ctx, tenant, logoId),
  ]);
  return {
    name: branding.display_name ?? merchant?.display_name ?? project?.name ?? "",
    logo_url: logo === null ? null : assetUrl(ctx, logo),
    contact: branding.support_email === undefined ? null : `mailto:${encodeURI(branding.support_email)}`,
  };
}
