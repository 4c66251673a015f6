import { expect, test } from "vitest";
import { openAgent, own, trunkOf } from "../testing/dialled.ts";
import { ReplayedPeer, type TranscriptName } from "../testing/replayed-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";

const sipp = { address: "127.0.0.1", port: 16_011 };
const baresip = { address: "10.9.9.1", port: 15_070 };
const kamailio = { address: "10.9.9.1", port: 16_060 };
const account = { user: "trunk", password: "pw1" };

interface Replay {
  name: TranscriptName;
  at: typeof sipp;
  account?: { user: string; password: string; register?: boolean };
  /** What we do while it rings or once it is answered. */
  action?: "cancel" | "hang up";
  end: object;
}

/** Recorded from Debian's programs by `server/test/support/voice/run-scenario.ts`; which and how is in the file of transcripts. */
const replays: Replay[] = [
  { name: "sipp answers", at: sipp, action: "hang up", end: { status: "completed", hangup_by: "caller" } },
  { name: "sipp is busy", at: sipp, end: { status: "busy", sip_code: 486 } },
  { name: "sipp rings and is canceled", at: sipp, action: "cancel", end: { status: "canceled", sip_code: 487 } },
  { name: "sipp answers as it is canceled", at: sipp, action: "cancel", end: { status: "canceled" } },
  { name: "sipp sends early media", at: sipp, end: { status: "no_answer", sip_code: 480 } },
  { name: "baresip hears and presses", at: baresip, action: "hang up", end: { status: "completed", hangup_by: "caller" } },
  { name: "baresip holds and hangs up", at: baresip, end: { status: "completed", hangup_by: "callee" } },
  { name: "kamailio asks for a password", at: kamailio, account, action: "hang up", end: { status: "completed", hangup_by: "caller" } },
  {
    name: "kamailio asks by SHA-256 and is registered with",
    at: kamailio,
    account: { ...account, register: true },
    action: "hang up",
    end: { status: "completed" },
  },
  {
    name: "kamailio is given a wrong password",
    at: kamailio,
    account: { ...account, password: "wrong" },
    end: { status: "failed", error: { code: "trunk_auth" } },
  },
];

test.each(replays)(
  "as recorded, $name: one end, and every message gets a response",
  async ({ name, at, account: known = {}, action, end }) => {
    const world = new SimulatedWorld();
    const peer = new ReplayedPeer(world, name, { peer: at, us: own });
    const agent = await openAgent(world, [trunkOf({ host: at.address, port: at.port, ...known })]);
    const reports = agent.dial();
    if (action !== undefined) {
      await world.until(() => (action === "cancel" ? reports.rang : reports.answered.length) > 0);
      reports.call.hangUp("caller");
    }
    await world.until(() => reports.ends.length > 0 && peer.isDone);
    await world.pass(20_000);
    expect(reports.ends).toMatchObject([end]);
  },
);
