import type { Session } from "./conversation.ts";

/** One open connection to one server of a site. */
export interface Line {
  session: Session;
  remote: string;
  idle: NodeJS.Timeout | undefined;
}

/** Connections of a site that are kept for the next message. */
export interface Lines {
  /** A connection that is still open, or null. The one used last comes first: the others age and go. */
  take(): Line | null;
  add(opened: { session: Session; remote: string }): Line;
  /** Gives a connection back after a message. */
  keep(line: Line): void;
  drop(line: Line): void;
  close(): void;
  readonly count: number;
}

export function createLines({ messagesPerConnection, idleMs }: { messagesPerConnection: number; idleMs: number }): Lines {
  const all = new Set<Line>();
  const free: Line[] = [];
  const drop = (line: Line) => {
    clearTimeout(line.idle);
    all.delete(line);
    const at = free.indexOf(line);
    if (at >= 0) free.splice(at, 1);
    line.session.quit();
  };
  return {
    take() {
      for (let line = free.pop(); line !== undefined; line = free.pop()) {
        clearTimeout(line.idle);
        if (line.session.isOpen) return line;
        drop(line);
      }
      return null;
    },
    add(opened) {
      const line: Line = { ...opened, idle: undefined };
      all.add(line);
      return line;
    },
    keep(line) {
      if (!line.session.isOpen || line.session.sent >= messagesPerConnection || !all.has(line)) return drop(line);
      line.idle = setTimeout(() => drop(line), idleMs).unref();
      free.push(line);
    },
    drop,
    close() {
      for (const line of all) {
        clearTimeout(line.idle);
        line.session.close();
      }
      all.clear();
      free.length = 0;
    },
    get count() {
      return all.size;
    },
  };
}
