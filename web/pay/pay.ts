// The payment page works without this file. It adds a countdown, copying, colors without a reload, a preview and progress for proofs, and
// automatic updates of the state. The server renders every state; this file only fetches the page again and replaces its main part.

import { localeFor } from "../language/locale.ts";
import { carryOver } from "./carry-over.ts";
import { fillNext, goesAway, leadAway } from "./leave.ts";
import { say, showProblem } from "./notices.ts";
import { findQueued, isUnsent, keep, limitedUntil, newKey, type QueuedForm, remove, sendQueued, waitAsTold } from "./outbox.ts";
import { paymentPage } from "./payment-page.ts";
import { fitPicture, previewPicture } from "./picture.ts";
import { turnColours } from "./theme.ts";
import { clockText, closeUp, dayText, momentText } from "./times.ts";

const body = document.body;
const clockOffset = Date.now() - Date.parse(body.dataset["now"] ?? "");
/** Below this a deadline is counted down; above it a time of day is shown. */
const countdownMs = 3_600_000;
/** Forms that report money: stored and sent later if they can't be sent now. */
const reportsPayment = /\/(report|voucher)$/;
const finalStates = new Set(["paid"]);

let events: EventSource | null = null;
let pollTimer = 0;
let busy = false;

const locale = localeFor(document.documentElement.lang);
let queued: QueuedForm | null = null;

const mainPart = (): HTMLElement | null => document.getElementById("main");
const all = (selector: string, root: ParentNode = document) => [...root.querySelectorAll<HTMLElement>(selector)];

/** Makes the main part live: local times, copy buttons, previews. Runs again after every replacement. */
function enliven(): void {
  const now = new Date(Date.now() - clockOffset);
  for (const time of all("time[data-local]")) {
    const at = new Date(time.getAttribute("datetime") ?? "");
    time.textContent = momentText(at, { now, locale, short: time.dataset["local"] === "short" });
  }
  for (const button of all("button[data-copy]")) {
    button.hidden = navigator.clipboard === undefined;
    if (!button.hidden) button.parentElement?.querySelector("[data-copy-near]")?.classList.add("live");
  }
  for (const button of all("[data-print], [data-jsapi]")) button.hidden = false;
  showQueued();
  tick();
}

/** Shows the time left until each deadline; when one has passed, asks the server for the current state. */
function tick(): void {
  const now = Date.now() - clockOffset;
  for (const time of all("time[data-countdown]")) {
    const leftMs = Date.parse(time.getAttribute("datetime") ?? "") - now;
    const later = leftMs > countdownMs;
    const at = new Date(now + leftMs);
    const words = (later ? body.dataset["until"] : body.dataset["left"]) ?? "";
    time.textContent = closeUp(words.replace("{t}", later ? dayText(at, { now: new Date(now), locale }) : clockText(leftMs)));
    time.classList.toggle("late", leftMs < 60_000);
    if (leftMs <= 0 && time.dataset["over"] === undefined) {
      time.dataset["over"] = "";
      window.setTimeout(refresh, 1500);
    }
  }
}

/** Replaces the main part with that of a newly rendered page; what the buyer has typed or picked is preserved. */
function exchange(text: string, byBuyer: boolean): boolean {
  const page = paymentPage(text);
  const old = mainPart();
  if (page === null || old === null) return false;
  const next = page.main;
  const news = next.dataset["say"] !== old.dataset["say"];
  const focused = byBuyer ? "" : (document.activeElement?.id ?? "");
  if (!byBuyer) carryOver(old, next, body.dataset["change"] ?? "");
  document.title = page.title;
  old.replaceWith(next);
  enliven();
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
  if (byBuyer) {
    const problem = next.querySelector<HTMLElement>("#problem:not([hidden])");
    (problem ?? next).focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }
  // What the page says now: announcing an earlier text would mislead.
  if (news || byBuyer) say(next.dataset["say"] ?? "");
  listen();
  return true;
}

/** Shows that what the buyer reported waits on this device, and what for. */
function showQueued(): void {
  const notice = document.getElementById("kept");
  const line = notice?.querySelector<HTMLElement>("[data-kept]");
  if (notice === null || line === null || line === undefined) return;
  notice.hidden = queued === null;
  const until = limitedUntil();
  const limited = until === null ? "" : dayText(until, { now: new Date(), locale });
  line.textContent = (until === null ? line.dataset["kept"] : line.dataset["limited"]?.replace("{t}", limited)) ?? "";
}

/** Sends what is stored, if there is a connection again. */
async function flush(): Promise<void> {
  if (queued === null || busy) return;
  busy = true;
  const reply = await sendQueued(queued);
  busy = false;
  const page = reply?.page ?? null;
  if (page === null) {
    if (reply?.status === 413) showProblem(refusalText(reply.status));
    return showQueued();
  }
  queued = null;
  if (!exchange(page, false)) showQueued();
}

/** A later proof has arrived, so the one that still waits isn't needed. */
async function dropQueued(): Promise<void> {
  if (queued === null || document.querySelector("#problem:not([hidden])") !== null) return;
  const { token } = queued;
  queued = null;
  showQueued();
  await remove(token);
}

/** For a response that isn't a page of ours. Proxies have their own limit for pictures. */
const refusalText = (status: number) => (status === 413 ? body.dataset["large"] : body.dataset["failed"]) ?? "";

/** Reloads the main part, unless a form is being sent or the buyer is leaving. */
async function refresh(): Promise<void> {
  if (busy) return;
  const address = new URL(location.href);
  address.searchParams.delete("problem");
  const reply = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  if (reply?.ok === true && !busy) exchange(await reply.text(), false);
}

/** A cheap check if anything has changed. */
async function look(): Promise<void> {
  const current = mainPart();
  const token = current?.dataset["token"];
  if (current === null || token === undefined || busy) return;
  const reply = await fetch(`/api/public/pay/${token}`, { headers: { accept: "application/json" } }).catch(() => null);
  const seen: SeenState | null = reply?.ok === true ? await reply.json().catch(() => null) : null;
  if (seen !== null) notice(seen);
}

interface SeenState {
  state: string;
  version: string;
}

function notice(seen: SeenState): void {
  const current = mainPart();
  if (current === null) return;
  if (seen.state !== current.dataset["state"] || seen.version !== current.dataset["version"]) void refresh();
}

/**
 * Server-sent events while they work, and polling that never stops before the end: frequent while the stream is down, rare while it is up.
 */
function listen(): void {
  const current = mainPart();
  const token = current?.dataset["token"];
  if (token === undefined || finalStates.has(current?.dataset["state"] ?? "")) {
    events?.close();
    events = null;
    window.clearTimeout(pollTimer);
    return;
  }
  if (events === null || events.readyState === EventSource.CLOSED) {
    events = new EventSource(`/api/public/pay/${token}/events`);
    events.addEventListener("state", (event) => notice(JSON.parse(event.data)));
  }
  window.clearTimeout(pollTimer);
  const waitMs = document.hidden ? 60_000 : events.readyState === EventSource.OPEN ? 30_000 : 5000;
  pollTimer = window.setTimeout(() => void lookAgain(), waitMs);
}

async function lookAgain(): Promise<void> {
  await flush();
  await look();
  listen();
}

/** Sends a form in the background. The server redirects to the current page, which XMLHttpRequest follows. */
function submit(form: HTMLFormElement, button: HTMLButtonElement | null): void {
  const action = new URL(button?.getAttribute("formaction") ?? form.action, location.href).href;
  const data = new FormData(form, button);
  const plain = form.enctype !== "multipart/form-data" || button?.hasAttribute("formenctype") === true;
  const token = mainPart()?.dataset["token"] ?? "";
  const isReport = reportsPayment.test(new URL(action).pathname);
  const outgoing: QueuedForm = { token, action, plain, fields: [...data], key: newKey() };
  const request = new XMLHttpRequest();
  const progress = form.querySelector("progress");
  const finish = () => {
    busy = false;
    button?.removeAttribute("aria-busy");
    if (progress !== null) progress.hidden = true;
  };
  busy = true;
  button?.setAttribute("aria-busy", "true");
  request.open("POST", action);
  request.setRequestHeader("accept", "text/html");
  if (isReport) request.setRequestHeader("idempotency-key", outgoing.key);
  request.upload.onprogress = (event) => {
    if (progress === null || plain || !event.lengthComputable) return;
    progress.hidden = false;
    progress.value = (event.loaded / event.total) * 100;
  };
  const unsent = async () => {
    finish();
    if (!isReport) return showProblem(body.dataset["offline"] ?? "");
    // A proof says more than a report, so a report doesn't replace one that is already waiting.
    if (queued === null || !plain) queued = outgoing;
    await keep(queued);
    showQueued();
    say(document.getElementById("kept")?.textContent?.trim() ?? "");
    document.getElementById("kept")?.scrollIntoView({ block: "nearest" });
    listen();
  };
  request.onload = () => {
    if (isReport && isUnsent(request.status)) {
      waitAsTold(request.getResponseHeader("retry-after"), request.status);
      return void unsent();
    }
    finish();
    if (goesAway(request.responseURL)) return;
    if (!exchange(request.responseText, true)) showProblem(refusalText(request.status));
    else if (isReport && !plain) void dropQueued();
  };
  request.onerror = () => void unsent();
  request.send(plain ? new URLSearchParams([...data].filter((pair): pair is [string, string] => typeof pair[1] === "string")) : data);
}

async function pick(input: HTMLInputElement): Promise<void> {
  if (!(await fitPicture(input))) showProblem(body.dataset["large"] ?? "");
  previewPicture(input, body.dataset["change"] ?? "");
}

async function copy(button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset["copy"] ?? "");
  const label = button.querySelector("span");
  const before = label?.textContent ?? "";
  if (label === null || before === body.dataset["copied"]) return;
  label.textContent = body.dataset["copied"] ?? "";
  say(label.textContent);
  window.setTimeout(() => {
    label.textContent = before;
    say("");
  }, 1500);
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copier =
    target?.closest<HTMLElement>("button[data-copy]") ??
    target?.closest("[data-copy-near]")?.parentElement?.parentElement?.querySelector<HTMLElement>("button[data-copy]");
  const colours = target?.closest<HTMLAnchorElement>("[data-theme-to]");
  if (copier) void copy(copier);
  if (target?.closest("[data-print]")) window.print();
  if (target?.closest(".pair .primary")) fillNext();
  if (colours) {
    event.preventDefault();
    turnColours(colours);
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset["live"] === undefined) return;
  event.preventDefault();
  if (!busy) submit(form, event.submitter instanceof HTMLButtonElement ? event.submitter : null);
});

document.addEventListener("change", (event) => {
  const input = event.target;
  if (input instanceof HTMLInputElement && input.type === "file") void pick(input);
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void lookAgain();
});
window.addEventListener("online", () => void lookAgain());
window.addEventListener("pageshow", (event) => {
  if (event.persisted) void lookAgain();
});

document.documentElement.classList.add("scripted");
enliven();
leadAway();
window.setInterval(tick, 1000);
void findQueued(mainPart()?.dataset["token"] ?? "").then((found) => {
  queued = found;
  showQueued();
  return flush();
});
if (mainPart()?.dataset["state"] !== undefined) listen();
