import type { Place, Surroundings, UdpSocket } from "../../net/surroundings.ts";
import type { Codec } from "../../wire/session-description.ts";
import { encodeG711, frameSamples, silence } from "../codec/g711.ts";
import { writeReport } from "../rtp/rtcp.ts";
import { newRtp, rtpHeaderBytes } from "../rtp/rtp-packet.ts";
import { SrtpSender } from "../rtp/srtp.ts";

export interface SendFormat {
  codec: Codec;
  type: number;
  /** Payload type of telephone-event, or null. */
  events: number | null;
}

/** Sends our stream: one packet every 20 ms, starting at a random sequence number (RFC 3550 §5.1). */
export class RtpSender {
  private readonly socket: UdpSocket;
  private readonly ssrc: number;
  private readonly cname: string;
  private readonly srtp: SrtpSender | null;
  private sequence: number;
  private timestamp: number;
  private eventStart = 0;
  private packets = 0;
  private bytes = 0;
  private isTalking = false;

  constructor(around: Surroundings, socket: UdpSocket, key: Buffer | null) {
    this.socket = socket;
    this.ssrc = around.random(4).readUInt32BE();
    this.sequence = around.random(2).readUInt16BE();
    this.timestamp = around.random(4).readUInt32BE();
    this.cname = around.random(8).toString("hex");
    this.srtp = key === null ? null : new SrtpSender(key);
  }

  /** Sends 20 ms of audio, or of silence. */
  sound(samples: Int16Array | null, format: SendFormat, to: Place): void {
    const isStart = samples !== null && !this.isTalking;
    this.isTalking = samples !== null;
    const packet = this.packet({ type: format.type, marker: isStart || this.packets === 0, timestamp: this.timestamp }, frameSamples);
    if (samples === null) packet.fill(silence[format.codec], rtpHeaderBytes);
    else encodeG711(format.codec, samples, { bytes: packet, offset: rtpHeaderBytes });
    this.send(packet, to);
  }

  /** Sends part of a digit's event; all parts have the timestamp of the first. */
  event(event: { payload: Buffer; marker: boolean; isStart: boolean }, format: SendFormat, to: Place): void {
    if (event.isStart) this.eventStart = this.timestamp;
    this.isTalking = false;
    const packet = this.packet({ type: format.events ?? 0, marker: event.marker, timestamp: this.eventStart }, event.payload.length);
    event.payload.copy(packet, rtpHeaderBytes);
    this.send(packet, to);
  }

  private packet(header: { type: number; marker: boolean; timestamp: number }, payloadBytes: number): Buffer {
    const packet = newRtp({ ...header, sequence: this.sequence, ssrc: this.ssrc }, payloadBytes);
    this.sequence = (this.sequence + 1) & 0xffff;
    return packet;
  }

  private send(packet: Buffer, to: Place): void {
    this.packets += 1;
    this.bytes += packet.length - rtpHeaderBytes;
    this.socket.send(this.srtp?.protect(packet) ?? packet, to);
  }

  /** 20 ms have passed. */
  advance(): void {
    this.timestamp = (this.timestamp + frameSamples) >>> 0;
  }

  report(timeMs: number, isLast: boolean): Buffer {
    const { ssrc, timestamp, packets, bytes, cname } = this;
    const report = writeReport({ ssrc, timeMs, timestamp, packets, bytes, cname }, isLast);
    return this.srtp?.protectRtcp(report) ?? report;
  }
}
