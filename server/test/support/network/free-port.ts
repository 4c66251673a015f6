import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports of operating systems (from 32768 on Linux, from 49152 elsewhere). One of those may be another program's
 * connection by the time a program that takes seconds to start listens on it, or while a killed program restarts.
 */
const lowest = 10_240;
const highest = 32_767;
const maxTries = 100;

/** A free TCP port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`of ${maxTries} ports between ${lowest} and ${highest} none was free`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe.listen(port, "127.0.0.1"), "listening").then(
    () => true,
    () => false,
  );
  if (!(await listening)) return false;
  probe.close();
  await once(probe, "close");
  return true;
}
