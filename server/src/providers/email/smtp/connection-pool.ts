import type { Session } from "./conversation.ts";

/** One open connection to one server of a site. */
export interface PooledConnection {
  session: Session;
  remote: string;
  idle: NodeJS.Timeout | undefined;
}

/** Connections of a site that stay open for the next message. */
export interface ConnectionPool {
  /** Returns a connection that is still open, or null. The most recently used comes first, so that the others age out. */
  take(): PooledConnection | null;
  add(opened: { session: Session; remote: string }): PooledConnection;
  /** Returns a connection to the pool after a message. */
  keep(connection: PooledConnection): void;
  drop(connection: PooledConnection): void;
  close(): void;
  readonly count: number;
}

export function createConnectionPool({ messagesPerConnection, idleMs }: { messagesPerConnection: number; idleMs: number }): ConnectionPool {
  const all = new Set<PooledConnection>();
  const free: PooledConnection[] = [];
  const drop = (connection: PooledConnection) => {
    clearTimeout(connection.idle);
    all.delete(connection);
    const at = free.indexOf(connection);
    if (at >= 0) free.splice(at, 1);
    connection.session.quit();
  };
  return {
    take() {
      for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
        clearTimeout(connection.idle);
        if (connection.session.isOpen) return connection;
        drop(connection);
      }
      return null;
    },
    add(opened) {
      const connection: PooledConnection = { ...opened, idle: undefined };
      all.add(connection);
      return connection;
    },
    keep(connection) {
      if (!connection.session.isOpen || connection.session.sent >= messagesPerConnection || !all.has(connection)) return drop(connection);
      connection.idle = setTimeout(() => drop(connection), idleMs).unref();
      free.push(connection);
    },
    drop,
    close() {
      for (const connection of all) {
        clearTimeout(connection.idle);
        connection.session.close();
      }
      all.clear();
      free.length = 0;
    },
    get count() {
      return all.size;
    },
  };
}
