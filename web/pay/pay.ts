// The pay page works without this file. It adds: a countdown, copying, colours without a reload, a preview and progress for proof,
// and the state changing by itself. The server draws every state; this file only fetches the page again and exchanges its main part.

const body = document.body;
const clockOffset = Date.now() - Date.parse(body.dataset["now"] ?? "");
const largestUpload = 5 * 1024 * 1024;
const finalStates = new Set(["paid"]);

let events: EventSource | null = null;
let pollTimer = 0;
let busy = false;

const mainPart = (): HTMLElement | null => document.getElementById("main");
const all = (selector: string, root: ParentNode = document) => [...root.querySelectorAll<HTMLElement>(selector)];

/** Makes the main part live: local times, copy buttons, previews. Runs again after every exchange. */
function enliven(): void {
  const language = document.documentElement.lang;
  const locale = navigator.languages.find((one) => one.slice(0, 2) === language.slice(0, 2)) ?? language;
  const today = new Date(Date.now() - clockOffset).toDateString();
  for (const time of all("time[data-local]")) {
    const at = new Date(time.getAttribute("datetime") ?? "");
    const short = time.dataset["local"] === "short" && at.toDateString() === today;
    time.textContent = at.toLocaleString(locale, short ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  }
  for (const button of all("button[data-copy]")) {
    button.hidden = navigator.clipboard === undefined;
    if (!button.hidden) button.parentElement?.querySelector("[data-copy-near]")?.classList.add("live");
  }
  for (const button of all("[data-print]")) button.hidden = false;
  tick();
}

/** Shows what is left of each deadline; when one has passed, asks the server how things stand. */
function tick(): void {
  const now = Date.now() - clockOffset;
  for (const time of all("time[data-countdown]")) {
    const leftMs = Date.parse(time.getAttribute("datetime") ?? "") - now;
    const words = leftMs > 48 * 3_600_000 ? body.dataset["days"] : body.dataset["left"];
    time.textContent = (words ?? "").replace("{t}", clock(leftMs)).replace("{n}", String(Math.floor(leftMs / 86_400_000)));
    time.classList.toggle("late", leftMs < 60_000);
    if (leftMs <= 0 && time.dataset["over"] === undefined) {
      time.dataset["over"] = "";
      window.setTimeout(refresh, 1500);
    }
  }
}

function clock(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Puts the main part of a freshly drawn page in place of the old one; what the buyer has typed or picked is carried over. */
function exchange(text: string, byBuyer: boolean): boolean {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const next = fresh.getElementById("main");
  const old = mainPart();
  if (next === null || old === null) return false;
  const changed = next.dataset["state"] !== old.dataset["state"];
  const focused = byBuyer ? "" : (document.activeElement?.id ?? "");
  if (!byBuyer) carryOver(old, next);
  document.title = fresh.title;
  old.replaceWith(next);
  enliven();
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
  if (byBuyer) {
    const problem = next.querySelector<HTMLElement>("#problem:not([hidden])");
    (problem ?? next).focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }
  if (changed || byBuyer) say(next.dataset["say"] ?? "");
  listen();
  return true;
}

function carryOver(old: HTMLElement, next: HTMLElement): void {
  for (const field of old.querySelectorAll<HTMLInputElement>("input")) {
    const same = [...next.querySelectorAll<HTMLInputElement>(`input[name="${field.name}"]`)].find((one) => one.type !== "radio" || one.value === field.value);
    if (same === undefined) continue;
    if (field.type === "radio") same.checked = field.checked;
    else if (field.type !== "file") same.value = field.value;
    else if (field.files !== null && field.files.length > 0) {
      same.files = field.files;
      preview(same);
    }
  }
  for (const details of all("details[open]", old)) next.querySelector(`details.${details.classList[0]}`)?.setAttribute("open", "");
}

function say(text: string): void {
  const line = document.getElementById("say");
  if (line !== null) line.textContent = text;
}

function showProblem(text: string): void {
  const notice = document.getElementById("problem");
  const line = notice?.querySelector("[data-problem]");
  if (notice === null || line === null || line === undefined) return;
  line.textContent = text;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}

/** Draws the page again, unless a form is on its way or the buyer is sent elsewhere. */
async function refresh(): Promise<void> {
  if (busy) return;
  const address = new URL(location.href);
  address.searchParams.delete("problem");
  const reply = await fetch(address, { headers: { accept: "text/html" } }).catch(() => null);
  if (reply?.ok === true && !busy) exchange(await reply.text(), false);
}

/** The cheap question: has anything changed? */
async function look(): Promise<void> {
  const current = mainPart();
  const token = current?.dataset["token"];
  if (current === null || token === undefined || busy) return;
  const reply = await fetch(`/api/public/pay/${token}`, { headers: { accept: "application/json" } }).catch(() => null);
  if (reply?.ok !== true) return;
  notice(await reply.json());
}

function notice(seen: { state: string; version: string }): void {
  const current = mainPart();
  if (current === null) return;
  if (seen.state !== current.dataset["state"] || seen.version !== current.dataset["version"]) void refresh();
}

/** Server-sent events while they work, questions behind them that never stop for good: quick when the stream is down, slow when it is up. */
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
  pollTimer = window.setTimeout(() => void look().finally(listen), waitMs);
}

/** Sends a form in the background. The server answers with a redirect to the page as it now stands, which XMLHttpRequest follows. */
function submit(form: HTMLFormElement, button: HTMLButtonElement | null): void {
  const action = button?.getAttribute("formaction") ?? form.action;
  const data = new FormData(form, button);
  const plain = form.enctype !== "multipart/form-data" || button?.hasAttribute("formenctype") === true;
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
  request.upload.onprogress = (event) => {
    if (progress === null || plain || !event.lengthComputable) return;
    progress.hidden = false;
    progress.value = (event.loaded / event.total) * 100;
  };
  request.onload = () => {
    finish();
    if (!exchange(request.responseText, true)) showProblem(body.dataset["failed"] ?? "");
  };
  request.onerror = () => {
    finish();
    showProblem(body.dataset["offline"] ?? "");
  };
  request.send(plain ? new URLSearchParams([...data].filter((pair): pair is [string, string] => typeof pair[1] === "string")) : data);
}

function preview(input: HTMLInputElement): void {
  const file = input.files?.[0];
  const field = input.closest(".field");
  const image = field?.querySelector<HTMLImageElement>("[data-preview]");
  const label = field?.querySelector("[data-pick]");
  if (file === undefined || !image || !label) return;
  if (image.src !== "") URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.hidden = false;
  label.textContent = body.dataset["change"] ?? "";
}

/** A photograph over the limit is drawn smaller; what then still is too large is refused before it travels. */
async function shrink(input: HTMLInputElement): Promise<void> {
  const file = input.files?.[0];
  if (file === undefined || file.size <= largestUpload) return;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture !== null) {
    const scale = Math.min(1, 2400 / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.85));
    if (blob !== null && blob.size <= largestUpload) {
      const carrier = new DataTransfer();
      carrier.items.add(new File([blob], "proof.jpg", { type: "image/jpeg" }));
      input.files = carrier.files;
      return;
    }
  }
  input.value = "";
  showProblem(body.dataset["large"] ?? "");
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
  }, 1500);
}

function turnColours(link: HTMLAnchorElement): void {
  const theme = link.dataset["themeTo"] ?? "";
  document.documentElement.dataset["theme"] = theme;
  for (const one of document.querySelectorAll<HTMLAnchorElement>("a[href^='/pay/']")) one.href = withTheme(one.href, theme);
  for (const form of document.querySelectorAll("form")) form.action = withTheme(form.action, theme);
  history.replaceState(null, "", withTheme(location.href, theme));
}

function withTheme(address: string, theme: string): string {
  const url = new URL(address);
  url.searchParams.set("theme", theme);
  return url.href;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copier =
    target?.closest<HTMLElement>("button[data-copy]") ??
    target?.closest("[data-copy-near]")?.parentElement?.parentElement?.querySelector<HTMLElement>("button[data-copy]");
  const colours = target?.closest<HTMLAnchorElement>("[data-theme-to]");
  if (copier) void copy(copier);
  if (target?.closest("[data-print]")) window.print();
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
  if (input instanceof HTMLInputElement && input.type === "file") void shrink(input).then(() => preview(input));
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void look().finally(listen);
});
window.addEventListener("online", () => void look().finally(listen));
window.addEventListener("pageshow", (event) => {
  if (event.persisted) void look().finally(listen);
});

document.documentElement.classList.add("scripted");
enliven();
window.setInterval(tick, 1000);
if (mainPart()?.dataset["state"] !== undefined) listen();
