import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CallLeg } from "#calls/index.ts";
import { correlation } from "#providers/voice/sip/testing/scripted-peer.ts";
import { createEspeakSpeech } from "#providers/voice/speech/create-espeak-speech.ts";
import { type CalledOut, type CallOut, callOut } from "./call-out.ts";
import { isListening, newFolder, startProgram, until } from "./programs.ts";

const phone = "10.9.9.1";
const phonePort = 15_070;
const proxyPort = 16_060;
const controlPort = 14_445;

/** A phone that answers automatically, plays a tone, and records what it hears. */
async function startBaresip(srtp: boolean): Promise<{ samples(): number[]; order(command: string, params?: string): void }> {
  const folder = newFolder();
  mkdirSync(join(folder, "dump"));
  writeFileSync(join(folder, "tone.wav"), toneWav(400));
  const modules = [
    "module g711.so",
    "module aufile.so",
    "module srtp.so",
    "module sndfile.so",
    "module_tmp uuid.so",
    "module_tmp account.so",
    "module_app menu.so",
    "module_app ctrl_tcp.so",
  ];
  const config = [
    `sip_listen ${phone}:${phonePort}`,
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    `audio_source aufile,${join(folder, "tone.wav")}`,
    `audio_player aufile,${join(folder, "played.wav")}`,
    ...["ausrc_srate 8000", "auplay_srate 8000", "rtp_ports 21000-21100", `snd_path ${join(folder, "dump")}`],
    `module_path ${globSync("/usr/lib/baresip/modules")[0]}`,
    ...modules,
  ];
  writeFileSync(join(folder, "config"), `${config.join("\n")}\n`);
  writeFileSync(
    join(folder, "accounts"),
    `<sip:+15551230000@${phone}:${phonePort}>;regint=0;answermode=auto;audio_codecs=pcmu/8000/1${srtp ? ";mediaenc=srtp-mand" : ""}\n`,
  );
  const program = startProgram("/usr/bin/baresip", ["-f", folder], folder);
  await until(() => isListening(controlPort), `baresip:\n${program.output()}`);
  const control: Socket = connect({ host: "127.0.0.1", port: controlPort });
  control.on("data", () => undefined);
  control.on("error", () => undefined);
  return {
    samples: () =>
      samplesOf(readFileSync(join(folder, "dump", readdirSync(join(folder, "dump")).find((name) => name.includes("dec")) ?? "none"))),
    order: (command, params) => {
      const text = JSON.stringify({ command, ...(params === undefined ? {} : { params }), token: "t" });
      control.write(`${text.length}:${text},`);
    },
  };
}

/** A proxy that requires a password, stays in the route, and passes calls to the phone. */
async function startKamailio(algorithm: "MD5" | "SHA-256"): Promise<void> {
  const folder = newFolder();
  const modules = ["kex", "tm", "sl", "rr", "pv", "textops", "siputils", "auth"].map((name) => `loadmodule "${name}.so"`);
  const config = `#!KAMAILIO
debug=1
log_stderror=yes
children=1
auto_aliases=no
listen=udp:127.0.0.1:${proxyPort}
listen=udp:${phone}:${proxyPort}
mpath="${globSync("/usr/lib/*/kamailio/modules")[0]}/"
${modules.join("\n")}
modparam("auth", "algorithm", "${algorithm}")
modparam("auth", "nonce_count", 1)
modparam("auth", "qop", "auth")
modparam("rr", "enable_double_rr", 1)
request_route {
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) exit;
    sl_send_reply("404", "Not Here");
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("trunk", "pw1", "0")) { www_challenge("trunk", "1"); exit; }
    sl_send_reply("200", "OK");
    exit;
  }
  if (!pv_proxy_authenticate("trunk", "pw1", "0")) { proxy_challenge("trunk", "1"); exit; }
  consume_credentials();
  record_route();
  $ru = "sip:+15551230000@${phone}:${phonePort}";
  t_relay();
}
`;
  writeFileSync(join(folder, "kamailio.cfg"), config);
  const program = startProgram(
    "/usr/sbin/kamailio",
    ["-f", join(folder, "kamailio.cfg"), "-DD", "-E", "-P", join(folder, "pid"), "-Y", folder, "-m", "64", "-M", "8"],
    folder,
  );
  await until(() => {
    if (program.child.exitCode !== null) throw new Error(`kamailio did not start:\n${program.output()}`);
    return isBound(proxyPort);
  }, "kamailio");
}

const isBound = (port: number) => readFileSync("/proc/net/udp", "latin1").includes(`:${port.toString(16).toUpperCase().padStart(4, "0")} `);

function toneWav(frequency: number): Buffer {
  const samples = 8_000 * 60;
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 16_000],
    [40, samples * 2],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write("data", 36);
  for (let at = 0; at < samples; at += 1)
    wav.writeInt16LE(Math.round(6_000 * Math.sin((2 * Math.PI * frequency * at) / 8_000)), 44 + at * 2);
  return wav;
}

function samplesOf(wav: Buffer): number[] {
  const start = wav.indexOf("data") + 8;
  return Array.from({ length: (wav.length - start) >> 1 }, (_, at) => wav.readInt16LE(start + at * 2));
}

const pcmSamples = (pcm: Buffer) => Array.from({ length: pcm.length >> 1 }, (_, at) => pcm.readInt16LE(at * 2));

export interface WithPhone {
  reports: CalledOut;
  /** How similar what the phone heard is to the synthesized speech. */
  speech: number;
  /** How similar what we heard is to the phone's tone, in its best half second. */
  tone: number;
}

const never = new AbortController().signal;

async function talk(
  options: Pick<CallOut, "trunks" | "srtp"> & {
    during?: (leg: CallLeg, reports: CalledOut, phone: Awaited<ReturnType<typeof startBaresip>>) => Promise<void>;
  },
): Promise<WithPhone> {
  const baresip = await startBaresip(options.srtp ?? false);
  const speech = await createEspeakSpeech().speak("Your order has arrived. Press one to hear it again, or two to end this call.", {
    voice: null,
    language: "en-US",
    speed: 1,
  });
  const samples: number[] = [];
  const reports = await callOut({
    trunks: options.trunks,
    srtp: options.srtp ?? false,
    address: phone,
    record: "dual",
    onAnswer: async (leg, during) => {
      leg.onAudio((pcm) => void samples.push(...pcmSamples(pcm)));
      await leg.play(speech, never);
      await options.during?.(leg, during, baresip);
    },
  });
  const found = reports.answered === 0 ? 0 : correlation(pcmSamples(speech), baresip.samples(), 8_000);
  const wave = Array.from({ length: 4_000 }, (_, at) => Math.sin((2 * Math.PI * 400 * at) / 8_000));
  return { reports, speech: found, tone: samples.length < 8_020 ? 0 : correlation(wave, samples.slice(4_000, 8_020), 20) };
}

const direct = `sip://${phone}:${phonePort}?name=phone&ping=0&cps=100`;
const through = (password: string, more = "") => `sip://trunk:${password}@${phone}:${proxyPort}?name=kamailio&cps=100${more}`;

export const baresipScenarios = {
  "baresip hears and presses": () =>
    talk({
      trunks: direct,
      during: async (leg, reports, baresip) => {
        for (const digit of "12#") {
          baresip.order("sndcode", digit);
          await pause(250);
          baresip.order("sndcode", "\u0004");
          await pause(250);
        }
        await until(() => reports.digits.length >= 3, "the digits");
        await leg.sendDigits("7", never);
      },
    }),
  "baresip wants SRTP": () => talk({ trunks: direct, srtp: true }),
  "baresip holds and hangs up": () =>
    talk({
      trunks: direct,
      during: async (_leg, reports, baresip) => {
        for (const command of ["hold", "resume", "hangup"]) {
          baresip.order(command);
          await pause(1_000);
        }
        await until(() => reports.ends.length > 0, "the phone's hanging up");
      },
    }),
  "kamailio asks for a password": async () => {
    await startKamailio("MD5");
    return talk({ trunks: through("pw1") });
  },
  "kamailio asks by SHA-256 and is registered with": async () => {
    await startKamailio("SHA-256");
    return talk({ trunks: through("pw1", "&register=1&ping=0") });
  },
  "kamailio is given a wrong password": async () => {
    await startKamailio("MD5");
    return talk({ trunks: through("wrong") });
  },
};
