import Type from "typebox";
import type { ChannelTransports } from "#messaging/index.ts";
import { instant, instantOrNull, integer, integerOrNull, oneOf, shape, shapeOrNull, text } from "../fields/fields.ts";

const states = ["idle", "up", "paused", "down", "silent"] as const;

const minute = Type.Object(
  {
    minute: instant("When the minute began."),
    handed: integer("What went out in it: parts of text messages, calls, copies of mails."),
    failed: integer("What was refused, put off or lost in it."),
  },
  { description: "One minute." },
);

const transport = Type.Object(
  {
    name: text("As messages that left by it name it in `provider`.", ["smpp:main"]),
    kind: text("What it speaks: `relay`, `mx`, `smpp`, `sip`, `http`, and whatever a later version adds.", ["smpp"]),
    state: oneOf(
      states,
      "`idle`: not tried yet. `paused`: it asked for less. `down`: it can't be used. `silent`: the process that has it stopped telling of it.",
    ),
    since: instantOrNull("Since when it is so."),
    paused_until: instantOrNull("When it is used, or tried, again."),
    error: shapeOrNull<{ message: string; at: Date }>("Its last error, which may be over.", { message: text("In words."), at: instant("When it happened.") }),
    in_flight: integer("What is under way by it now."),
    capacity: integerOrNull("How much may be under way at once; null: it says no number."),
    processes: integer("How many processes have it."),
    processes_up: integer("For how many of them it is up."),
    reported_at: instant("When a process last told of it."),
    minutes: Type.Array(minute, { description: "The last 30 minutes, the one that it is now last." }),
  },
  { description: "One way out." },
);

const queue = Type.Object(
  {
    waiting: integer("What is due and not under way."),
    oldest_due_at: instantOrNull("Since when the oldest of it is due; null: nothing is late."),
    scheduled: integer("What waits for a later time: scheduled, or to be tried again."),
    under_way: integer("What a process has taken."),
    set_aside: integer("What isn't tried any more, because processes died or stalled with it; `tillpost queues` lists and releases it."),
  },
  { description: "LIVE work of the channel." },
);

const channel = Type.Object(
  {
    channel: oneOf(["email", "sms", "call"], "The channel."),
    queue,
    transports: Type.Array(transport, { description: "Its ways out; empty: LIVE messages of the channel can't leave, or no worker runs." }),
  },
  { description: "One channel." },
);

export const transportHealthSchema = shape("TransportHealth", "How messages and calls leave the installation.", {
  object: oneOf(["transport_health"], "Always `transport_health`."),
  at: instant("When this was seen."),
  channels: Type.Array(channel, { description: "E-mail, SMS and calls." }),
});

export type TransportHealthShape = ReturnType<typeof showTransportHealth>;

export function showTransportHealth({ at, channels }: { at: Date; channels: readonly ChannelTransports[] }) {
  return {
    object: "transport_health" as const,
    at,
    channels: channels.map(({ channel: name, queue: waits, transports }) => ({
      channel: name as "email" | "sms" | "call",
      queue: waits,
      transports: transports.map(({ channel: _channel, ...one }) => one),
    })),
  };
}
