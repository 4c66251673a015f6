import type { SmppBind } from "../settings/read-binds.ts";
import { spellStatus } from "../wire/answers.ts";
import type { Head, Outgoing, Pdu } from "../wire/pdu.ts";
import { commandOf } from "../wire/pdu.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { SmppLimits } from "./limits.ts";

export interface SessionOptions {
  bind: SmppBind;
  limits: SmppLimits;
  ca?: string[] | undefined;
  /** Stores a message or receipt; resolves once it's stored. Rejecting makes the carrier send it again. */
  onDeliver(pdu: Pdu): Promise<void>;
}

/** A bound connection. */
export interface Session {
  readonly isOpen: boolean;
  readonly ended: Promise<string>;
  /** null if no response arrived in time; `onLate` gets one that arrives later. */
  submit(fields: NonNullable<Outgoing["fields"]>, onLate: (answer: Pdu) => void): Promise<Pdu | null>;
  /** Sends unbind, and closes the connection in any case. */
  close(): Promise<void>;
  destroy(reason: string): void;
}

/** The carrier refused the bind. `status` is null if it sent none. */
export class BindRefused extends Error {
  readonly status: number | null;

  constructor(reason: string, status: number | null) {
    super(reason);
    this.status = status;
  }
}

const version34 = 0x34;
const goodbyeMs = 2_000;
/** The most deliveries that are stored at once; the carrier resends the rest. */
const maxDelivered = 200;
const temporary = 0x64;
const permanent = 0x65;
const queueFull = 0x14;
const unknownCommand = 0x03;

/** Connects and binds as transceiver, or throws `BindRefused`. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { bind, limits } = options;
  const watch = { unanswered: 0 };
  const deliveries = { inProgress: 0 };
  const connection: Connection = await openConnection({
    ...bind,
    ca: options.ca,
    connectMs: limits.connectMs,
    onReceived: () => {
      watch.unanswered = 0;
    },
    onRequest: (head, pdu) => void answerRequest({ connection, options, deliveries }, head, pdu),
  }).catch((error: Error) => {
    throw new BindRefused(error.message, null);
  });
  await bindOrLeave(connection, options);
  const watching = setInterval(() => checkLink(connection, watch, limits), limits.enquireMs);
  void connection.ended.then(() => clearInterval(watching));
  return {
    get isOpen() {
      return connection.isOpen;
    },
    ended: connection.ended,
    submit: (fields, onLate) => connection.ask({ command: "submit_sm", fields }, limits.responseMs, onLate),
    destroy: connection.destroy,
    async close() {
      await connection.ask({ command: "unbind" }, goodbyeMs);
      connection.destroy("closed by us");
    },
  };
}

async function bindOrLeave(connection: Connection, { bind, limits }: SessionOptions): Promise<void> {
  const fields = { system_id: bind.systemId, password: bind.password, system_type: bind.systemType, interface_version: version34 };
  const answer = await connection.ask({ command: "bind_transceiver", fields }, limits.bindMs);
  if (answer !== null && answer.status === 0 && connection.isOpen) return;
  const refused = answer === null ? "no response to the bind" : `the bind was refused with ${spellStatus(answer.status)}`;
  connection.destroy(refused);
  throw new BindRefused(refused, answer?.status ?? null);
}

/** A connection can be dead without either end noticing. */
function checkLink(connection: Connection, watch: { unanswered: number }, limits: SmppLimits): void {
  if (watch.unanswered >= limits.misses) {
    connection.destroy(`${limits.misses} enquire_links went unanswered`);
    return;
  }
  watch.unanswered += 1;
  void connection.ask({ command: "enquire_link" }, limits.responseMs);
}

interface Answering {
  readonly connection: Connection;
  options: SessionOptions;
  deliveries: { inProgress: number };
}

async function answerRequest(answering: Answering, head: Head, pdu: Pdu | null): Promise<void> {
  const { connection } = answering;
  const { sequence } = head;
  const command = commandOf(head);
  if (command === "enquire_link") connection.answer({ command: "enquire_link_resp", sequence });
  else if (command === "unbind") {
    connection.answer({ command: "unbind_resp", sequence });
    connection.destroy("the carrier unbound");
  } else if (command === "deliver_sm" || command === "data_sm") {
    connection.answer({ command: `${command}_resp`, sequence, status: await deliver(answering, pdu) });
  } else if (command !== "alert_notification" && command !== "outbind")
    connection.answer({ command: "generic_nack", sequence, status: unknownCommand });
}

/** The status of the response. A PDU that can't be read would be repeated forever, so it's refused permanently. */
async function deliver({ options, deliveries }: Answering, pdu: Pdu | null): Promise<number> {
  // The package accepts a PDU that ends before its fields do, which would be an empty message.
  if (pdu === null || (pdu.command === "deliver_sm" && pdu.bytes("short_message") === undefined)) return permanent;
  if (deliveries.inProgress >= maxDelivered) return queueFull;
  deliveries.inProgress += 1;
  try {
    await options.onDeliver(pdu);
    return 0;
  } catch {
    return temporary;
  } finally {
    deliveries.inProgress -= 1;
  }
}
