import { type Ctx, hint, onHint, seal } from "#platform/index.ts";
import { documentPlace, soundPlace } from "../sealed.sql.ts";
import { type After, realTime } from "../timers.ts";
import type { CarrierLine, CarrierLines, LineDocument, LineKey, LineReport } from "./carrier-lines.ts";
import { lineToken } from "./line-token.ts";
import { countSiblings, deleteLine, insertLine, updateShown, updateTaken } from "./sql.ts";

/** How often the process that runs calls checks for reports that other processes received. */
const everyMs = 150;

type LinesCtx = Pick<Ctx, "db" | "log" | "masterKeys" | "transact">;

interface Open {
  key: LineKey;
  take(report: LineReport): void;
}

/** One process's ends of the lines of calls that it runs. */
export function createCarrierLines(ctx: LinesCtx, after: After = realTime): CarrierLines {
  const open = new Map<string, Open>();
  let cancel: () => void = () => {};
  let looking: Promise<void> | null = null;
  let isMissed = false;
  const look = async () => {
    const keys = [...open.values()].map(({ key }) => key);
    if (keys.length === 0) return;
    for (const report of await updateTaken(ctx.db, keys)) deliver(ctx, open.get(`${report.project_id} ${report.call_id}`), report);
  };
  const schedule = () => {
    cancel();
    if (open.size > 0) cancel = after(everyMs, wake);
  };
  function wake(): void {
    isMissed = looking !== null;
    looking ??= look()
      .catch((err: unknown) => ctx.log.warn({ err }, "carriers' reports on calls couldn't be read; trying again"))
      .finally(() => {
        looking = null;
        if (isMissed) wake();
        else schedule();
      });
  }
  const deafen = onHint(ctx.db, "call_line_reports", () => {
    if (open.size > 0) wake();
  });
  return {
    async open({ project_id, livemode, call_id, lastsMs }, take) {
      const key: LineKey = { project_id, livemode, call_id };
      await insertLine(ctx.db, { ...key, lastsMs });
      const name = `${project_id} ${call_id}`;
      open.set(name, { key, take });
      if (open.size === 1) schedule();
      return lineOf(ctx, key, () => open.delete(name));
    },
    async close() {
      deafen();
      open.clear();
      cancel();
      await looking;
    },
  };
}

function deliver(ctx: LinesCtx, line: Open | undefined, { call_id, topic, facts }: LineKey & LineReport): void {
  try {
    line?.take({ topic, facts });
  } catch (err) {
    ctx.log.error({ err, call: call_id }, "a carrier's report on a call couldn't be processed");
  }
}

function lineOf(ctx: LinesCtx, key: LineKey, drop: () => void): CarrierLine {
  return {
    token: lineToken(ctx, key),
    show: (document) => show(ctx, key, document),
    isAlone: async (since) => (await countSiblings(ctx.db, key, since)) === 0,
    async close() {
      drop();
      await deleteLine(ctx.db, key);
    },
  };
}

/** Requests that wait for it in this process get it at once. */
function show(ctx: LinesCtx, key: LineKey, { number, text, sound }: LineDocument): Promise<void> {
  const sealed = {
    number,
    document: seal(ctx.masterKeys, documentPlace(key.call_id), text),
    sound: sound === null ? null : seal(ctx.masterKeys, soundPlace(key.call_id), sound),
  };
  return ctx.transact(async (tx) => {
    await updateShown(tx, key, sealed);
    hint(tx, "call_lines");
  });
}
