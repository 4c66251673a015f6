import Type from "typebox";
import type { ChannelTransports } from "#messaging/index.ts";
import { instant, instantOrNull, integer, integerOrNull, oneOf, shape, shapeOrNull, text } from "../fields/fields.ts";

const states = ["idle", "up", "paused", "down", "silent"] as const;

const minute = Type.Object(
  {
    minute: instant("When the minute started."),
    handed: integer("What was sent in this minute: SMS parts, calls, copies of emails."),
    failed: integer("What was refused, deferred or lost in this minute."),
  },
  { description: "One minute." },
);

const transport = Type.Object(
  {
    name: text("The name that messages sent through it have in `provider`.", ["smpp:main"]),
    kind: text("The protocol: `relay`, `mx`, `smpp`, `sip`, `http`; later versions can add more.", ["smpp"]),
    state: oneOf(
      states,
      "`idle`: not used yet. `paused`: the other side asked to slow down. `down`: it can't be used. `silent`: its process stopped reporting.",
    ),
    since: instantOrNull("Since when it has this state."),
    paused_until: instantOrNull("When it will be used or tried again."),
    error: shapeOrNull<{ message: string; at: Date }>("The last error, which may be resolved by now.", {
      message: text("A message for people."),
      at: instant("When it happened."),
    }),
    in_flight: integer("How much is in progress now."),
    capacity: integerOrNull("How much can be in progress at once; null if there is no fixed limit."),
    processes: integer("How many processes use it."),
    processes_up: integer("In how many of them it is up."),
    reported_at: instant("When a process last reported on it."),
    minutes: Type.Array(minute, { description: "The last 30 minutes, the current one last." }),
  },
  { description: "One transport." },
);

const queue = Type.Object(
  {
    waiting: integer("What is due but not in progress."),
    oldest_due_at: instantOrNull("Since when the oldest has been due; null if nothing is late."),
    scheduled: integer("What is scheduled or will be retried later."),
    under_way: integer("What a process is working on."),
    set_aside: integer("What is no longer tried because processes crashed or stalled with it. `tillpost queues` lists and releases it."),
  },
  { description: "The channel's LIVE queue." },
);

const channel = Type.Object(
  {
    channel: oneOf(["email", "sms", "call"], "The channel."),
    queue,
    transports: Type.Array(transport, { description: "The channel's transports. Empty if none is set up, or no worker is running." }),
  },
  { description: "One channel." },
);

export const transportHealthSchema = shape("TransportHealth", "How messages and calls leave this server.", {
  object: oneOf(["transport_health"], "Always `transport_health`."),
  at: instant("When this was read."),
  channels: Type.Array(channel, { description: "Email, SMS and calls." }),
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
