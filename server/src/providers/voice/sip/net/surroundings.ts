export interface Place {
  address: string;
  port: number;
}

export interface UdpSocket extends Place {
  /** The port must be from 1 to 65535. What can't be sent for another reason is lost. */
  send(bytes: Buffer, to: Place): void;
  onMessage(listener: (bytes: Buffer, from: Place) => void): void;
  close(): void;
}

export interface StreamOptions extends Place {
  /** The name that the certificate must have; null: no TLS. */
  servername: string | null;
  /** Certificates to trust in addition to the system's. */
  ca?: string | undefined;
}

export interface ByteStream {
  readonly local: Place;
  readonly remote: Place;
  write(bytes: Buffer): void;
  onData(listener: (bytes: Buffer) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

export interface StreamServer extends Place {
  close(): void;
}

export interface SrvRecord {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** The user agent's access to the outside world. Times are milliseconds of a monotonic clock. */
export interface Surroundings {
  now(): number;
  /** Calls `callback` once after that time; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  random(bytes: number): Buffer;
  /** Port 0: any port. Rejects if the port is taken. */
  openUdp(at: Place): Promise<UdpSocket>;
  connect(options: StreamOptions): Promise<ByteStream>;
  listen(at: Place & { tls: { cert: string; key: string } | null }, onStream: (stream: ByteStream) => void): Promise<StreamServer>;
  /** This machine's address that packets to a place leave from. Rejects if there is no route. */
  localAddressTo(place: Place): Promise<string>;
  srv(name: string): Promise<SrvRecord[]>;
  addresses(host: string): Promise<string[]>;
}

/** A random number below `count`. */
export function chance({ random }: Pick<Surroundings, "random">, count: number): number {
  return random(4).readUInt32BE(0) % count;
}
