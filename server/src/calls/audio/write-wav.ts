/** Sample rate in Hz of all audio that calls receive and send. */
export const sampleRate = 8_000;

const mulaw = 7;

/** A WAV file of signed 16-bit PCM with one channel. */
export function wavOfPcm(pcm: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
}

/** A WAV file of μ-law samples; two channels are interleaved. */
export function wavOf(samples: Buffer, channels: 1 | 2 = 1): Buffer {
  const head = Buffer.alloc(58);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(50 + samples.length + (samples.length % 2), 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(18, 16);
  head.writeUInt16LE(mulaw, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * channels, 28);
  head.writeUInt16LE(channels, 32);
  head.writeUInt16LE(8, 34);
  head.write("fact", 38, "latin1");
  head.writeUInt32LE(4, 42);
  head.writeUInt32LE(samples.length / channels, 46);
  head.write("data", 50, "latin1");
  head.writeUInt32LE(samples.length, 54);
  // A chunk of odd length is padded.
  return Buffer.concat([head, samples, Buffer.alloc(samples.length % 2)]);
}
