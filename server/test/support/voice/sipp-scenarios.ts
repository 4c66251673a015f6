import { setTimeout as pause } from "node:timers/promises";
import { type CalledOut, type CallOut, callOut } from "./call-out.ts";
import { newFolder, type Running, startProgram } from "./programs.ts";
import { answer, cseqOfInvite, described, recv, recvInvite, scenarioArgs } from "./sipp-messages.ts";

const port = 16_011;
const trunk = `sip://127.0.0.1:${port}?name=sipp&ping=0&cps=100`;

const files = {
  busy: [recv("INVITE"), answer("486 Busy Here"), recv("ACK")],
  rings: [recvInvite, answer("180 Ringing"), recv("CANCEL"), answer("200 OK"), answer("487 Request Terminated", cseqOfInvite), recv("ACK")],
  crosses: [
    ...[recvInvite, answer("180 Ringing"), recv("CANCEL"), answer("481 Call Does Not Exist")],
    ...[answer("200 OK", cseqOfInvite, described()), recv("ACK"), recv("BYE"), answer("200 OK")],
  ],
  early: [
    ...[recvInvite, answer("183 Session Progress", "[last_CSeq:]", described()), '<pause milliseconds="500"/>'],
    ...[answer("480 Temporarily Unavailable", cseqOfInvite), recv("ACK")],
  ],
};

export interface WithSipp {
  reports: CalledOut;
  /** Whether sipp itself completed the call. */
  sipp: number | null;
}

function startSipp(args: string[]): Running {
  return startProgram(
    "/usr/bin/sipp",
    ["-i", "127.0.0.1", "-p", String(port), "-nostdin", "-m", "1", "-mp", "18500", "-timeout", "60", ...args],
    newFolder(),
  );
}

async function withSipp(args: string[], options: Partial<CallOut> = {}): Promise<WithSipp> {
  const sipp = startSipp(args);
  const reports = await callOut({ trunks: trunk, ...options });
  for (let looks = 0; looks < 150 && sipp.child.exitCode === null; looks += 1) await pause(100);
  return { reports, sipp: sipp.child.exitCode };
}

const file = (name: keyof typeof files) => scenarioArgs(name, files[name]);

const speaks: NonNullable<CallOut["onAnswer"]> = async (leg, reports) => {
  const never = new AbortController().signal;
  await leg.play(Buffer.alloc(16_000), never);
  await leg.sendDigits("12#", never);
  for (let looks = 0; looks < 30 && reports.digits.length < 3; looks += 1) await pause(100);
};

export const sippScenarios = {
  "sipp answers": () => withSipp(["-sn", "uas", "-rtp_echo"], { onAnswer: speaks }),
  "sipp answers over TCP": () => withSipp(["-sn", "uas", "-rtp_echo", "-t", "t1"], { trunks: `${trunk}&transport=tcp`, onAnswer: speaks }),
  "sipp is busy": () => withSipp(file("busy")),
  "sipp rings on": () => withSipp(file("rings"), { ringMs: 3_000 }),
  "sipp rings and is canceled": () => withSipp(file("rings"), { hangUpRinging: true }),
  "sipp answers as it is canceled": () => withSipp(file("crosses"), { hangUpRinging: true }),
  "sipp sends early media": () => withSipp(file("early")),
  "sipp loses a third": () => withSipp(["-sn", "uas", "-rtp_echo", "-lost", "30"], { onAnswer: speaks, ringMs: 60_000 }),
  "nobody is there": async (): Promise<WithSipp> => ({ reports: await callOut({ trunks: trunk, ringMs: 8_000 }), sipp: null }),
  "the first trunk is down": () =>
    withSipp(["-sn", "uas", "-rtp_echo"], {
      trunks: `sip://127.0.0.1:16019?name=down&cps=100,${trunk}`,
      onAnswer: speaks,
      waitForTrunks: true,
    }),
};
