import type { MediaSession } from "../media/leg/media-session.ts";
import { type CallReports, openAgent, trunkOf } from "./dialled.ts";
import { type Script, ScriptedPeer } from "./scripted-peer.ts";
import { SimulatedWorld } from "./simulated-world.ts";

const place = { address: "10.0.0.2", port: 5_060 };
/** Answers and hangs up on request. */
export const usual: Script = (message, at) => {
  if (message.method === "INVITE") at.accept(message);
  if (message.method === "BYE" || message.method === "UPDATE") at.reply(message, "200 OK");
};

/** A call that a scripted peer has answered. */
export async function answeredCall(
  script: Script = usual,
  more: Parameters<Awaited<ReturnType<typeof openAgent>>["dial"]>[0] = {},
  trunk = trunkOf(),
) {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, script);
  const agent = await openAgent(world, [trunk]);
  const reports: CallReports = agent.dial(more);
  await world.until(() => reports.answered.length > 0);
  return { world, peer, reports, media: reports.answered[0] as MediaSession };
}

/** Our responses to the peer's requests. */
export const answersOf = (peer: ScriptedPeer, method: string) =>
  peer.received.filter((message) => message.first.startsWith("SIP/") && message.lines("CSeq")[0]?.endsWith(method));
