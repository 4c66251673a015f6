import type { MediaSession } from "../media/leg/media-session.ts";
import { openAgent, type Told, trunkOf } from "./dialled.ts";
import { type Script, ScriptedPeer } from "./scripted-peer.ts";
import { SimulatedWorld } from "./simulated-world.ts";

const place = { address: "10.0.0.2", port: 5_060 };
/** Answers and hangs up on request. */
export const usual: Script = (heard, at) => {
  if (heard.method === "INVITE") at.accept(heard);
  if (heard.method === "BYE" || heard.method === "UPDATE") at.reply(heard, "200 OK");
};

/** A call that a scripted peer has answered. */
export async function answeredCall(script: Script = usual, more: Parameters<Awaited<ReturnType<typeof openAgent>>["dial"]>[0] = {}, trunk = trunkOf()) {
  const world = new SimulatedWorld();
  const peer = new ScriptedPeer(world, place, script);
  const agent = await openAgent(world, [trunk]);
  const told: Told = agent.dial(more);
  await world.until(() => told.answered.length > 0);
  return { world, peer, told, media: told.answered[0] as MediaSession };
}

/** Our responses to the peer's requests. */
export const answersOf = (peer: ScriptedPeer, method: string) =>
  peer.heard.filter((heard) => heard.first.startsWith("SIP/") && heard.lines("CSeq")[0]?.endsWith(method));
