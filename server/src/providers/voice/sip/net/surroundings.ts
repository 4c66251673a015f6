export interface Place {
  address: string;
  port: number;
}

export interface UdpSocket extends Place {
  send(bytes: Buffer, to: Place): void;
  onMessage(listener: (bytes: Buffer, from: Place) => void): void;
  close(): void;
}

export interface StreamOptions extends Place {
  /** The name that the certificate must bear; null: no TLS. */
  servername: string | null;
  /** Certificates to trust beside the system's. */
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

/** All that the user agent has of the world. Times are milliseconds that only move forward. */
export interface Surroundings {
  now(): number;
  /** Calls once after so many milliseconds; the answer takes that back. */
  after(ms: number, act: () => void): () => void;
  random(bytes: number): Buffer;
  /** Port 0: any. Fails where the port is taken. */
  openUdp(at: Place): Promise<UdpSocket>;
  connect(options: StreamOptions): Promise<ByteStream>;
  listen(at: Place & { tls: { cert: string; key: string } | null }, onStream: (stream: ByteStream) => void): Promise<StreamServer>;
  /** The address of this machine that packets to a place leave from. */
  localAddressTo(place: Place): Promise<string>;
  srv(name: string): Promise<SrvRecord[]>;
  addresses(host: string): Promise<string[]>;
}

/** A number below `count`, by the surroundings' chance. */
export function chance({ random }: Pick<Surroundings, "random">, count: number): number {
  return random(4).readUInt32BE(0) % count;
}
