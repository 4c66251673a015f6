import type { ByteStream, Surroundings, UdpSocket } from "./surroundings.ts";

type Guard = <Given extends unknown[]>(callback: (...given: Given) => void) => (...given: Given) => void;

/**
 * Returns surroundings in which an error of a callback is reported and ends that callback only: the handling of one message, or of one
 * timer. Otherwise it would end the calling thread and every call in it.
 */
export function guardSurroundings(around: Surroundings, onError: (error: unknown) => void): Surroundings {
  const guard: Guard =
    (callback) =>
    (...given) => {
      try {
        callback(...given);
      } catch (error) {
        onError(error);
      }
    };
  return {
    ...around,
    after: (ms, callback) => around.after(ms, guard(callback)),
    openUdp: async (at) => guardSocket(await around.openUdp(at), guard),
    connect: async (options) => guardStream(await around.connect(options), guard),
    listen: (at, onStream) =>
      around.listen(
        at,
        guard((stream: ByteStream) => onStream(guardStream(stream, guard))),
      ),
  };
}

function guardSocket(socket: UdpSocket, guard: Guard): UdpSocket {
  return { ...socket, onMessage: (listener) => socket.onMessage(guard(listener)) };
}

function guardStream(stream: ByteStream, guard: Guard): ByteStream {
  return {
    ...stream,
    onData: (listener) => stream.onData(guard(listener)),
    onClose: (listener) => stream.onClose(guard(listener)),
  };
}
