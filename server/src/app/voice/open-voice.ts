import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Registry } from "prom-client";
import { type CallTransport, createCarrierLines, joinTransports, realTime, type Speech, strayAmong } from "#calls/index.ts";
import type { TransportBoard } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { readSipSettings } from "#providers/voice/sip/settings/read-sip-settings.ts";
import type { Settings } from "../config.ts";
import { countVoiceRequests, measureVoiceAccounts } from "./measure-http.ts";
import { measureTrunks } from "./measure-trunks.ts";
import { openSpeech, trySpeech } from "./open-speech.ts";
import { watchVoiceAccounts } from "./watch-accounts.ts";
import { watchTrunks } from "./watch-trunks.ts";

/** Longer than any call may last. */
const oldestMs = 6 * 3_600_000;

/** How LIVE calls leave one process, and what speaks in them. */
export interface Voice {
  transport: CallTransport;
  speech: Speech;
  /** The folder of recordings on trunks, and of notes about those at carriers. */
  recordings: string | null;
  /** Hangs up. Called after the workers have stopped, which may still be calling. */
  close(): Promise<void>;
}

/** What calls need from the process that makes them. */
export interface VoiceParts {
  ctx: Pick<Ctx, "db" | "egress" | "log" | "masterKeys" | "now" | "publicUrl" | "transact">;
  settings: Settings;
  /** Where the process shows its metrics, if it does. */
  registry?: Registry | undefined;
  /** Where operators see the state of trunks and accounts. */
  board?: TransportBoard | undefined;
  /** Checks whether texts can be spoken. */
  speaks?: typeof trySpeech;
}

/**
 * Registers with the trunks, and gets ready for carriers over HTTP; null if neither is set. A trunk that can't be used, or a missing
 * voice, is logged and stops nothing else. The code for carriers is loaded only if it's used.
 */
export async function openVoice(parts: VoiceParts): Promise<Voice | null> {
  const { ctx, settings, speaks = trySpeech } = parts;
  const recordings = recordingsOf(settings);
  if (recordings === null) return null;
  await mkdir(recordings, { recursive: true, mode: 0o700 });
  await removeOrphans(recordings, ctx.now());
  const [first, ...others] = [await openSip(parts, recordings), await openHttp(parts, recordings)].filter((one) => one !== null);
  if (first === undefined) return null;
  const transport = others.length === 0 ? first : joinTransports([first, ...others]);
  const spoken = await speaks(settings);
  if (typeof spoken !== "string") ctx.log.error(spoken, "calls can't speak texts");
  return { transport, speech: openSpeech(settings, fetch), recordings, close: () => transport.close() };
}

function recordingsOf({ SIP_TRUNKS, VOICE_HTTP_URL, TILLPOST_DATA_DIR }: Settings): string | null {
  return SIP_TRUNKS === null && VOICE_HTTP_URL === null ? null : join(TILLPOST_DATA_DIR, "calls");
}

async function openSip({ ctx, settings, registry, board }: VoiceParts, recordings: string): Promise<CallTransport | null> {
  if (settings.SIP_TRUNKS === null) return null;
  const { createSipTransport } = await import("#providers/voice/sip/create-sip-transport.ts");
  const sip = readSipSettings(settings).settings;
  const transport = createSipTransport({
    ...sip,
    recordings,
    now: ctx.now,
    onTrunk: (trunk, reason) => {
      if (reason === null) ctx.log.info({ trunk }, "the trunk can be used again");
      else ctx.log.warn({ trunk, reason }, "the trunk can't be used: calls use the others until it can");
    },
    onFault: (reason) =>
      ctx.log.error({ reason }, "calls can't be placed: check SIP_LISTEN and RTP_PORTS, and that no other process uses them"),
    onError: (reason) => ctx.log.error({ reason }, "an error in the calling thread: it affected one message or one call"),
  });
  if (registry !== undefined) measureTrunks(registry, transport);
  if (board !== undefined) watchTrunks(board, transport, sip.trunks);
  return transport;
}

async function openHttp({ ctx, settings, registry, board }: VoiceParts, recordings: string): Promise<CallTransport | null> {
  if (settings.VOICE_HTTP_URL === null) return null;
  const { createVoiceTransport } = await import("#providers/telephony/twilio/voice/create-voice-transport.ts");
  const accounts = readVoiceAccounts(settings.VOICE_HTTP_URL);
  const count = registry === undefined ? () => {} : countVoiceRequests(registry);
  const watched = board === undefined ? null : watchVoiceAccounts(board, accounts, () => transport.accounts());
  const transport = createVoiceTransport({
    ...{ accounts, ctx, recordings, lines: createCarrierLines(ctx), after: realTime },
    onAnswer(account, answer) {
      count(account, answer.kind);
      watched?.(account, answer);
    },
  });
  if (registry !== undefined) measureVoiceAccounts(registry, transport);
  return transport;
}

/** Recordings that were in progress when their process died, which no other process will handle. Those that wait to be stored stay. */
async function removeOrphans(folder: string, now: Date): Promise<void> {
  for (const name of strayAmong(await readdir(folder))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < now.getTime() - oldestMs) await unlink(path).catch(() => undefined);
  }
}
