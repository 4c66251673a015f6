import { type GatewayAmount, type GatewayCall, GatewayError, type ListedLine, malformedAnswer } from "#gateways/index.ts";
import { callServer, objectOf } from "./call-server.ts";
import type { BtcpayCredentials } from "./credentials.ts";
import { readSnapshot } from "./invoices.ts";
import { claimsOf, invoiceIn, listPullPayments } from "./pull-payments.ts";
import { holdsMoney, needsPayments } from "./states.ts";
import { type Invoice, type PullPayment, readInvoice } from "./wire.ts";

interface Store {
  call: GatewayCall;
  credentials: BtcpayCredentials;
}

const pageSize = 500;
/** 20,000 invoices within the days that are looked back. */
const maxPages = 40;
const dayMs = 86_400_000;
/** An invoice is open for 30 days at most, and the server watches its address for another day. */
const payableMs = 32 * dayMs;
/** A refund is listed if the buyer claims it within this time. */
const claimableMs = 90 * dayMs;
/** Invoices and refunds that take a request each. */
const maxAsked = 300;
/** The form of our references; anything else belongs to another program. */
const ourReference = /^[a-z0-9_]{29}$/;

/**
 * Invoices of the last 32 days that are paid by now, and refunds of the last 90 that were claimed. The server has no list of settlements,
 * and its list of invoices says when one was created but not when it was paid, so that each is listed on every day of that time: a payment
 * that is confirmed late is never missed, and one that is known changes nothing.
 */
export async function listSettled(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { from, to }: { from: Date; to: Date },
): Promise<ListedLine[]> {
  const store = { call, credentials };
  const found = await readInvoices(store, { start: from.getTime() - payableMs, end: to.getTime() });
  const refunds = await readRefunds(store, { start: from.getTime() - claimableMs, end: to.getTime() });
  const isAsked = (invoice: Invoice) => holdsMoney(invoice) && needsPayments(invoice) && amountOf(invoice) === null;
  if (found.filter((one) => one.invoice !== null && isAsked(one.invoice)).length + refunds.length > maxAsked) throw tooMany();
  const lines: ListedLine[] = [];
  for (const one of found) lines.push(...(one.invoice === null ? one.lines : await invoiceLine(store, one.invoice)));
  for (const refund of refunds) lines.push(...(await refundLine(store, refund)));
  return lines.sort((left, right) => timeIn(left) - timeIn(right));
}

const timeIn = (line: ListedLine) => (line.kind === "unreadable" ? 0 : line.occurredAt.getTime());
const tooMany = () =>
  new GatewayError("unavailable", { code: "too_many_lines", message: "The store has too many invoices or refunds to compare them." });

interface Span {
  start: number;
  end: number;
}

type Found = { invoice: Invoice; lines: null } | { invoice: null; lines: ListedLine[] };

/** Our invoices that were created in a period, the newest first; of those that can't be read, the ones that are paid. */
async function readInvoices({ call, credentials }: Store, { start, end }: Span): Promise<Found[]> {
  const period = `startDate=${Math.floor(start / 1_000)}&endDate=${Math.ceil(end / 1_000)}&includeArchived=true`;
  const found = new Map<string, Found>();
  for (let page = 0; page < maxPages; page += 1) {
    const path = `/stores/${credentials.storeId}/invoices?${period}&skip=${page * pageSize}&take=${pageSize}`;
    const list = await callServer(call, credentials, { method: "GET", path, changes: false });
    if (!Array.isArray(list)) throw malformedAnswer(false);
    // A page may repeat what the one before had, if an invoice was created in between.
    for (const one of list) found.set(String(objectOf(one)?.["id"]), foundOf(one));
    if (list.length < pageSize) return [...found.values()];
  }
  throw tooMany();
}

function foundOf(value: unknown): Found {
  const invoice = readInvoice(value);
  if (invoice !== null) return ourReference.test(invoice.reference ?? "") ? { invoice, lines: null } : { invoice: null, lines: [] };
  const given = objectOf(value);
  const reference = objectOf(given?.["metadata"])?.["orderId"];
  const id = given?.["id"];
  if (typeof reference !== "string" || !ourReference.test(reference) || given?.["status"] !== "Settled")
    return { invoice: null, lines: [] };
  const providerId = typeof id === "string" ? id : null;
  const name = (providerId ?? reference).slice(0, 100);
  return { invoice: null, lines: [{ kind: "unreadable", name, reference, providerId, captureId: null }] };
}

/** What was paid on an invoice, if that doesn't take a look at its payments; null if it does. */
function amountOf({ status, exception, requested, paid }: Invoice): GatewayAmount | null {
  const isExact = status === "Settled" && exception === "None" && (paid === null || paid.amount_minor >= requested.amount_minor);
  return isExact ? requested : null;
}

/** Empty if it isn't paid. */
async function invoiceLine({ call, credentials }: Store, invoice: Invoice): Promise<ListedLine[]> {
  const { reference, id, createdAt } = invoice;
  if (!holdsMoney(invoice)) return [];
  const snapshot = amountOf(invoice) === null ? await readSnapshot(call, credentials, invoice) : null;
  const amount = snapshot === null ? amountOf(invoice) : snapshot.state === "succeeded" ? snapshot.paid : null;
  if (amount === null) return [];
  return [{ kind: "payment", reference, providerId: id, captureId: null, amount, occurredAt: new Date(createdAt * 1_000) }];
}

/** Pull payments of a period that are refunds: ours by their name, others by the name that the server gives a refund by hand. */
async function readRefunds({ call, credentials }: Store, { start, end }: Span): Promise<PullPayment[]> {
  const all = await listPullPayments(call, credentials);
  return all.filter(({ name, amount, startsAt }) => {
    const isOfPeriod = startsAt !== null && startsAt.getTime() >= start && startsAt.getTime() < end;
    // Made by hand, it may be in coins, which no order is.
    return isOfPeriod && amount !== null && (ourReference.test(name ?? "") || invoiceIn(name) !== null);
  });
}

/** Empty if nothing was claimed and paid out, or a part and the rest may still be. */
async function refundLine({ call, credentials }: Store, pullPayment: PullPayment): Promise<ListedLine[]> {
  const { id, name, amount, isArchived, startsAt } = pullPayment;
  const { completed } = await claimsOf(call, credentials, pullPayment);
  if (completed === null || amount === null || startsAt === null) return [];
  const isWhole = completed.amount_minor >= amount.amount_minor;
  if (!isWhole && !isArchived) return [];
  const captureId = invoiceIn(name);
  const reference = captureId === null ? name : null;
  return [{ kind: "refund", reference, providerId: id, captureId, amount: isWhole ? amount : completed, occurredAt: startsAt }];
}
