import type { Place, UdpSocket } from "../net/surroundings.ts";
import type { SimulatedWorld } from "./simulated-world.ts";
import transcripts from "./transcripts.json" with { type: "json" };

interface Recorded {
  from: string;
  text: string;
}

export type TranscriptName = keyof typeof transcripts;

const line = (text: string, name: string) => text.split("\r\n").find((one) => one.toLowerCase().startsWith(`${name}:`)) ?? "";
const first = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";

/** A recorded foreign program: it repeats what it sent then, after the same messages of ours, with the identifiers that ours have now. */
export class ReplayedPeer {
  readonly world: SimulatedWorld;
  /** What was recorded and isn't sent yet. */
  private readonly left: Recorded[];
  private readonly names = new Map<string, string>();
  private readonly numbers = new Map<string, string>();
  private readonly socket: UdpSocket;
  private readonly us: Place;
  readonly received: string[] = [];

  constructor(world: SimulatedWorld, name: TranscriptName, at: { peer: Place; us: Place }) {
    this.world = world;
    this.us = at.us;
    this.left = [...transcripts[name].said];
    this.socket = world.socket(at.peer, (bytes) => this.take(bytes.toString("latin1")));
  }

  /** Whether everything that was recorded has been sent and received. */
  get isDone(): boolean {
    return this.left.length === 0;
  }

  private take(text: string): void {
    this.received.push(text);
    const recorded = this.left[0];
    if (recorded?.from !== "us") return;
    this.left.shift();
    this.learn(recorded.text, text);
    while (this.left[0]?.from === "peer") this.say((this.left.shift() as Recorded).text);
  }

  /** Maps our identifiers in the recording to those of now. */
  private learn(then: string, now: string): void {
    for (const [name, pattern] of [
      ["via", /branch=([^;\s,]+)/],
      ["from", /tag=([^;\s]+)/],
      ["call-id", /:\s*(\S+)/],
      ["contact", /@([\d.]+:\d+)/],
    ] as const) {
      const [old, current] = [first(line(then, name), pattern), first(line(now, name), pattern)];
      if (old !== "" && current !== "") this.names.set(old, current);
    }
    this.numbers.set(first(line(then, "cseq"), /:\s*(.*)/), first(line(now, "cseq"), /:\s*(.*)/));
  }

  private say(recorded: string): void {
    let text = recorded;
    for (const [then, now] of this.names) text = text.replaceAll(then, now);
    text = text.replace(/^CSeq:\s*(.*?)\r$/im, (whole, number: string) =>
      this.numbers.has(number) ? `CSeq: ${this.numbers.get(number)}\r` : whole,
    );
    this.socket.send(Buffer.from(text, "latin1"), this.us);
  }
}
