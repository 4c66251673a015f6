import { createTransportBoard, reportTransportsTask } from "#messaging/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

const minuteMs = 60_000;

/**
 * A process with transports in every state, and what recently left through them. Call the returned function to report again: without
 * reports, transports go silent.
 */
export async function fillTransports({ ctx, clock }: TestApp): Promise<() => Promise<void>> {
  const board = createTransportBoard(ctx.now);
  const [relay, main, second, trunk] = [
    board.add({ channel: "email", name: "relay:smtp.corner-books.example", kind: "relay" }, () => ({ inFlight: 3, capacity: 120 })),
    board.add({ channel: "sms", name: "smpp:main", kind: "smpp" }, () => ({ inFlight: 7, capacity: 10 })),
    board.add({ channel: "sms", name: "smpp:backup-carrier-asia-pacific", kind: "smpp" }, () => ({ inFlight: 0, capacity: 50 })),
    board.add({ channel: "call", name: "sip:main", kind: "sip" }, () => ({
      inFlight: 2,
      capacity: 30,
      pausedUntil: new Date(ctx.now().getTime() + minuteMs),
    })),
  ];
  board.add({ channel: "call", name: "sip:never", kind: "sip" }, () => ({ inFlight: 0, capacity: 4 }));
  const task = reportTransportsTask(board);
  for (const way of [relay, main, trunk]) way.up();
  second.down("ECONNREFUSED: connect ECONNREFUSED 203.0.113.9:2775", new Date(ctx.now().getTime() + minuteMs));
  for (let minute = 0; minute < 8; minute += 1) {
    for (let turn = 0; turn < 3 + minute * 4; turn += 1) main.handed();
    relay.handed();
    trunk.handed();
    if (minute % 3 === 2) main.failed("The carrier accepts no more messages right now. (0x00000058)");
    await task.run(ctx);
    clock.advance(minuteMs);
  }
  return async () => void (await task.run(ctx));
}
