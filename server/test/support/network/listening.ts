import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const attempts = 200;

/** Waits until a server greets on a port of this machine. */
export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await greets(port)) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Waits until a server accepts connections on a port of this machine, whether it greets or not. */
export async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await accepts(port)) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
}

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket
      .setTimeout(2_000, () => end(false))
      .once("data", () => end(true))
      .once("error", () => end(false));
  });
}
