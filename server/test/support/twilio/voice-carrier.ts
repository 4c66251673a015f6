import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { pageOf } from "./recording-pages.ts";
import { collected, fetchSound, parse, type Verb, wavOf } from "./voice-media.ts";

/** A call in the carrier's records. */
export interface CarriedCall {
  sid: string;
  /** The form of its request. */
  form: URLSearchParams;
  status: string;
  /** All documents that it was given. */
  documents: string[];
  /** Sound that the callee heard: signed 16-bit PCM at 8 000 Hz. */
  samples: number[];
  /** Keys that were sent to the callee. */
  keys: string;
  recordings: { sid: string; source: string; channels: number; wav: Buffer }[];
  answeredBy?: string;
  createdAt: Date;
}

/** What happens to calls at a carrier, as Twilio publishes its API: nothing here shares the adapter's code. */
export interface Conduct {
  /** Responds to the request for a call: null takes it, `lost` takes it without a response, and a refusal takes nothing. */
  create?(form: URLSearchParams): { status: number; code?: number; message?: string } | "lost" | "dropped" | null;
  /** Whether its API doesn't respond to a request to end a call. */
  isAway?(): boolean;
  /** The status of recordings after their call has ended; `completed` by default. */
  recording?(): string;
  /** The response about what it doesn't have; Twilio's by default. */
  missing?(): { status: number; code?: number };
  /** What it lists as a call's recordings; a Buffer isn't JSON. */
  list?(): object | Buffer;
  /** The status of responses to requests to delete a recording; 204 by default. Another one deletes nothing. */
  remove?(): number;
  /** What happens to it, once it was taken. */
  become?(call: CarriedCall, carrier: VoiceCarrier): Promise<void>;
  /** What the callee presses at a gather, including the finishing key. */
  press?(call: CarriedCall, gather: Record<string, string>): string;
  /** What the callee says for a record verb; null: hangs up during it. */
  say?(call: CarriedCall): Buffer | null;
}

interface Account {
  sid: string;
  token: string;
}

/** A carrier on this machine's loopback. */
export class VoiceCarrier {
  readonly calls: CarriedCall[] = [];
  readonly requests: string[] = [];
  /** What was deleted. */
  readonly deletedRecordings: string[] = [];
  conduct: Conduct = {};
  /** Lets time pass, as long as a call lasted. */
  pass: (ms: number) => void = () => {};
  port = 0;
  /** How our requests were answered, and what was wrong with our responses. */
  readonly faults: string[] = [];
  now: () => Date;
  private readonly account: Account;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  constructor(account: Account, now: () => Date) {
    this.account = account;
    this.now = now;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => void this.server.listen(0, "127.0.0.1", resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Resets it to its initial state. */
  reset(): void {
    this.conduct = {};
    this.early = false;
    this.isSilent = false;
    for (const list of [this.calls, this.requests, this.deletedRecordings, this.faults]) list.length = 0;
  }

  last(): CarriedCall {
    const call = this.calls.at(-1);
    if (call === undefined) throw new Error("no call was placed");
    return call;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const url = new URL(request.url ?? "/", "http://carrier");
    const answer = (status: number, body: object | Buffer) => {
      const isSound = Buffer.isBuffer(body);
      response.writeHead(status, { "content-type": isSound ? "audio/wav" : "application/json" }).end(isSound ? body : JSON.stringify(body));
    };
    const expected = `Basic ${Buffer.from(`${this.account.sid}:${this.account.token}`).toString("base64")}`;
    if (request.headers.authorization !== expected) return answer(401, { code: 20003, message: "Authenticate", status: 401 });
    const path = url.pathname.replace(`/2010-04-01/Accounts/${this.account.sid}`, "");
    this.requests.push(`${request.method} ${path.replace(/(CA|RE)[0-9a-f]{32}/, "$1")} ${form.get("Status") ?? ""}`.trim());
    if (path === "/Calls.json" && request.method === "POST") return this.create(form, { answer, lose: () => response.destroy() });
    const [, sid = "", rest = ""] = /^\/(?:Calls|Recordings)\/(CA[0-9a-f]{32}|RE[0-9a-f]{32})(.*)$/.exec(path) ?? [];
    if (path === "/Calls.json")
      return answer(200, { calls: this.calls.filter(({ form: own }) => own.get("To") === url.searchParams.get("To")).map(viewOf) });
    if (sid.startsWith("RE")) return this.serveRecording(sid, request.method ?? "", answer);
    const call = this.calls.find((one) => one.sid === sid);
    if (call === undefined) return this.answerMissing(answer);
    if (rest === "/Recordings.json") {
      const status = call.status === "in-progress" ? "in-progress" : (this.conduct.recording?.() ?? "completed");
      const kept = call.recordings.filter((one) => !this.deletedRecordings.includes(one.sid));
      return answer(200, this.conduct.list?.() ?? pageOf(kept, url, status));
    }
    if (request.method === "POST" && this.conduct.isAway?.() === true) return void response.destroy();
    if (request.method === "POST") await this.change(call, form.get("Status") ?? "");
    answer(200, viewOf(call));
  }

  private serveRecording(sid: string, method: string, answer: (status: number, body: object | Buffer) => void): void {
    const found = this.calls.flatMap(({ recordings }) => recordings).find((one) => one.sid === sid);
    if (found === undefined || this.deletedRecordings.includes(sid)) return this.answerMissing(answer);
    if (method !== "DELETE") return answer(200, found.wav);
    const status = this.conduct.remove?.() ?? 204;
    if (status === 204) this.deletedRecordings.push(sid);
    answer(status, {});
  }

  private answerMissing(answer: (status: number, body: object) => void): void {
    const { status, code } = this.conduct.missing?.() ?? { status: 404, code: 20404 };
    answer(status, { code, message: "The requested resource was not found", status });
  }

  private create(form: URLSearchParams, { answer, lose }: { answer: (status: number, body: object) => void; lose: () => void }): void {
    const verdict = this.conduct.create?.(form) ?? null;
    if (verdict === "dropped") return lose();
    if (verdict !== null && verdict !== "lost")
      return answer(verdict.status, { code: verdict.code, message: verdict.message ?? "no", status: verdict.status });
    const created = { documents: [], samples: [], keys: "", recordings: [], createdAt: this.now() };
    const call: CarriedCall = { sid: `CA${randomBytes(16).toString("hex")}`, form, status: "queued", ...created };
    this.calls.push(call);
    const happen = () => {
      const becoming = this.conduct
        .become?.(call, this)
        .catch((error: unknown) => this.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)));
      if (becoming !== undefined) this.becoming.push(becoming);
    };
    if (verdict === "lost") {
      lose();
      return happen();
    }
    if (this.conduct.become !== undefined && this.early) {
      // The first callback overtakes the response.
      void this.report(call, "initiated").then(() => {
        answer(201, viewOf(call));
        happen();
      });
      return;
    }
    answer(201, viewOf(call));
    happen();
  }

  /** Resolves once everything that its calls' conduct does has happened. */
  async settled(): Promise<void> {
    await Promise.all(this.becoming.splice(0));
  }

  private readonly becoming: Promise<unknown>[] = [];
  /** Callbacks arrive before the response to the request for the call. */
  early = false;
  /** Call statuses aren't reported. */
  isSilent = false;

  /** Ends a call as requested: a call that is answered can't be canceled. */
  private async change(call: CarriedCall, status: string): Promise<void> {
    if (!["queued", "initiated", "ringing", "in-progress"].includes(call.status)) return;
    if (status === "canceled" && call.status === "in-progress") return;
    if (status === "canceled" || call.status !== "in-progress") return this.end(call, "canceled");
    await this.end(call, "completed", { CallDuration: "3", SipResponseCode: "200" });
  }

  /** The carrier's last report about a call. */
  async end(call: CarriedCall, status: string, more: Record<string, string> = {}): Promise<void> {
    if (call.form.get("Record") === "true" && call.status === "in-progress") {
      const channels = call.form.get("RecordingChannels") === "dual" ? 2 : 1;
      const sid = `RE${randomBytes(16).toString("hex")}`;
      call.recordings.push({ sid, source: "OutboundAPI", channels, wav: wavOf(call.samples, channels) });
    }
    this.pass(Number(more["CallDuration"] ?? 0) * 1_000);
    call.status = status;
    // Not awaited: the response to the request that led here may still be pending.
    void this.report(call, status, more);
  }

  /** A status callback; returns its status. */
  report(call: CarriedCall, status: string, more: Record<string, string> = {}): Promise<number> {
    if (["initiated", "ringing", "in-progress"].includes(status)) call.status = status;
    if (this.isSilent) return Promise.resolve(200);
    const params = { ...this.paramsOf(call), CallStatus: status, CallbackSource: "call-progress-events", ...more };
    return this.post(call.form.get("StatusCallback") ?? "", params).then((answer) => answer.status);
  }

  paramsOf(call: CarriedCall): Record<string, string> {
    const { sid, status, form } = call;
    const about = { ApiVersion: "2010-04-01", Direction: "outbound-api", From: form.get("From") ?? "", To: form.get("To") ?? "" };
    return { CallSid: sid, AccountSid: this.account.sid, CallStatus: status, ...about };
  }

  /** Posts a form signed as Twilio documents: the URL, then each field's name and value in the order of the names. */
  post(url: string, params: Record<string, string>, forge: (signature: string) => string = (signature) => signature): Promise<Response> {
    const text = Object.keys(params)
      .sort()
      .reduce((whole, name) => whole + name + params[name], url);
    const signature = forge(createHmac("sha1", this.account.token).update(text).digest("base64"));
    const body = new URLSearchParams(params).toString();
    return fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
    });
  }

  /** The callee answers: from now on the carrier requests instructions until it is told to hang up or the call has ended. */
  async answer(call: CarriedCall): Promise<void> {
    call.status = "in-progress";
    let url = call.form.get("Url") ?? "";
    let more: Record<string, string> = call.answeredBy === undefined ? {} : { AnsweredBy: call.answeredBy };
    while (call.status === "in-progress") {
      const next = await this.carryOut(call, await this.ask(call, url, more));
      if (next === null) break;
      [url, more] = [next.url, next.params];
    }
    if (call.status === "in-progress") await this.end(call, "completed", { CallDuration: "3", SipResponseCode: "200" });
  }

  /** One document. */
  async ask(call: CarriedCall, url: string, more: Record<string, string> = {}): Promise<Verb[]> {
    const answer = await this.post(url, { ...this.paramsOf(call), ...more });
    const text = await answer.text();
    if (answer.status !== 200 || !(answer.headers.get("content-type") ?? "").startsWith("text/xml"))
      throw new Error(`no document: ${answer.status} ${text}`);
    call.documents.push(text);
    return parse(text);
  }

  private async carryOut(call: CarriedCall, verbs: Verb[]): Promise<{ url: string; params: Record<string, string> } | null> {
    for (const verb of verbs) {
      if (call.status !== "in-progress" || verb.name === "Hangup") return null;
      if (verb.name === "Redirect") return { url: verb.text, params: {} };
      const params = await this.perform(call, verb);
      if (params !== null) return { url: verb.attributes["action"] ?? "", params };
    }
    return null;
  }

  /** Returns the response of its action; null: the document continues. */
  private async perform(call: CarriedCall, verb: Verb): Promise<Record<string, string> | null> {
    const { name, attributes, inner, text } = verb;
    // A second is as short as possible.
    if (name === "Pause") await yieldToEventLoop();
    else if (name === "Play" && attributes["digits"] !== undefined) call.keys += attributes["digits"];
    else if (name === "Play") call.samples.push(...(await fetchSound(text)));
    else if (name === "Gather") {
      for (const one of inner) await this.perform(call, one);
      const digits = collected(this.conduct.press?.(call, attributes) ?? "", attributes);
      return digits === "" ? null : { Digits: digits };
    } else if (name === "Record") return this.record(call);
    else throw new Error(`an unknown verb: ${name}`);
    return null;
  }

  private async record(call: CarriedCall): Promise<Record<string, string> | null> {
    const spoken = this.conduct.say?.(call) ?? null;
    const sid = `RE${randomBytes(16).toString("hex")}`;
    if (spoken === null) {
      call.recordings.push({ sid, source: "RecordVerb", channels: 1, wav: wavOf([1, 2, 3, 4], 1) });
      await this.end(call, "completed", { CallDuration: "3", SipResponseCode: "200" });
      return null;
    }
    call.recordings.push({ sid, source: "RecordVerb", channels: 1, wav: spoken });
    return { RecordingSid: sid, RecordingUrl: `http://elsewhere.invalid/${sid}`, RecordingDuration: "1", Digits: "#" };
  }
}

function viewOf({ sid, form, status, createdAt, answeredBy }: CarriedCall): object {
  const duration = status === "completed" ? "3" : null;
  const numbers = { to: form.get("To"), from: form.get("From") };
  return { sid, ...numbers, status, duration, answered_by: answeredBy ?? null, date_created: createdAt.toUTCString() };
}
