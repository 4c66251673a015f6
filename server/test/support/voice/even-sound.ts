import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newFolder, startProgram } from "./programs.ts";
import { answer, described, recv, scenarioArgs, send } from "./sipp-messages.ts";

/** How evenly a stream of sound arrives. */
export interface Evenness {
  /** The mean of the differences that RFC 3550's interarrival jitter follows. */
  jitterMs: number;
  /** 99 of 100 packets arrive no further than this from 20 ms after the previous one. */
  p99Ms: number;
}

/** Where sipp answers as a callee, whose sound goes to the listener. */
export const calleePort = 16_021;
const [streamedPort, callerPort] = [16_022, 16_023];
const [oursPort, sippsPort] = [30_100, 30_102];

const callee = (mediaPort: number) =>
  scenarioArgs("callee", [
    recv("INVITE"),
    answer("200 OK", "[last_CSeq:]", described(mediaPort)),
    recv("ACK"),
    recv("BYE"),
    answer("200 OK"),
  ]);

/** A call by sipp, which streams a file. */
function caller(file: string, ms: number): string[] {
  const request = (method: string, { tag, rest }: { tag: string; rest: string }) =>
    send(
      `${method} sip:a@[remote_ip]:[remote_port] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\nFrom: <sip:b@[local_ip]>;tag=[call_number]\nTo: <sip:a@[remote_ip]>${tag}\nCall-ID: [call_id]\nCSeq: [cseq] ${method}\nContact: <sip:b@[local_ip]:[local_port]>\nMax-Forwards: 70\n${rest}`,
    );
  const inside = { tag: "[peer_tag_param]", rest: "Content-Length: 0\n" };
  return scenarioArgs("caller", [
    request("INVITE", { tag: "", rest: described() }),
    '<recv response="200"></recv>',
    request("ACK", inside),
    `<nop><action><exec rtp_stream="${file},-1,0"/></action></nop>`,
    `<pause milliseconds="${ms}"/>`,
    request("BYE", inside),
    '<recv response="200"></recv>',
  ]);
}

/**
 * Runs sipp, which streams sound to a listener and answers at `calleePort`. The returned function listens to `packets` packets of both
 * streams and returns how evenly they arrived.
 */
export function startStreams(packets: number): () => Promise<{ ours: Evenness; sipps: Evenness }> {
  const folder = newFolder();
  const sipp = (port: number, args: string[]) =>
    startProgram("/usr/bin/sipp", ["-i", "127.0.0.1", "-p", String(port), "-nostdin", "-m", "1", "-timeout", "120", ...args], folder);
  sipp(calleePort, callee(oursPort));
  sipp(streamedPort, callee(sippsPort));
  const sound = join(folder, "sound.ulaw");
  writeFileSync(sound, Buffer.alloc(8_000, 0xd5));
  sipp(callerPort, ["-mp", "31000", ...caller(sound, 90_000), `127.0.0.1:${streamedPort}`]);
  const listener = fileURLToPath(new URL("./measure-jitter.ts", import.meta.url));
  return async () => {
    const program = startProgram(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", listener, String(packets), String(oursPort), String(sippsPort)],
      folder,
    );
    await program.ended;
    const [ours, sipps] = JSON.parse(program.output().trim()) as [Evenness, Evenness];
    return { ours, sipps };
  };
}
