import { ActionIcon } from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../../words/language.tsx";
import { clock } from "./clock.ts";
import { readSound, type Sound } from "./read-sound.ts";
import { recordingWords } from "./recordings.words.ts";
import { usePosition } from "./use-position.ts";
import { Waveform } from "./waveform.tsx";

/** The number of bars in a waveform that can be distinguished on a phone. */
const bars = 160;
const quietest = 0.05;

interface PlayerProps {
  /** Undefined while they are loading. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  /** According to the server, until the audio itself is loaded. */
  seconds: number;
  channels: number;
}

/** Plays a recording. Its waveform is the slider that shows and sets the position, by pointer and by keyboard. */
export function Player({ bytes, seconds, channels }: PlayerProps) {
  const words = useWords(recordingWords);
  const audio = useRef<HTMLAudioElement>(null);
  const sound = useMemo(() => (bytes === undefined ? null : readSound(bytes, bars)), [bytes]);
  const source = useSource(bytes);
  const [isPlaying, setPlaying] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const { position, setPosition } = usePosition(audio, isPlaying);
  const length = sound?.seconds ?? seconds;
  const seek = (to: number) => {
    if (audio.current !== null) audio.current.currentTime = to;
    setPosition(to);
  };
  const toggle = () => {
    if (isPlaying) audio.current?.pause();
    else void audio.current?.play().catch(() => setBroken(true));
  };
  return (
    <>
      <div className="player" data-loading={bytes === undefined}>
        <ActionIcon
          size={44}
          radius={22}
          aria-label={isPlaying ? words.pause : words.play}
          disabled={source === undefined || isBroken}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
        </ActionIcon>
        <Track sound={sound ?? flat(channels, length)} position={position} onSeek={seek} isReady={source !== undefined} />
        <span className="player-time">
          {clock(position)} <span className="soft">/ {clock(length)}</span>
        </span>
      </div>
      {isBroken ? <p className="soft">{words.notPlayed}</p> : null}
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down what was said */}
      <audio
        ref={audio}
        src={source}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => setBroken(source !== undefined)}
      />
    </>
  );
}

interface TrackProps {
  sound: Sound;
  position: number;
  onSeek(to: number): void;
  isReady: boolean;
}

function Track({ sound: { peaks, seconds }, position, onSeek, isReady }: TrackProps) {
  const words = useWords(recordingWords);
  const part = seconds === 0 ? 0 : Math.min(1, position / seconds);
  // The loudest sample of all channels fills the height, because phone audio is quiet, but faint noise doesn't.
  const loudest = Math.max(quietest, ...peaks.map((own) => Math.max(...own)));
  return (
    <div className="track">
      {peaks.map((own, channel) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a channel is its place
        <div key={channel} className="channel">
          {peaks.length > 1 ? <span className="channel-name">{words.channels[channel]}</span> : null}
          <Waveform peaks={own} loudest={loudest} part={part} />
        </div>
      ))}
      <input
        type="range"
        className="track-slider"
        aria-label={words.position}
        aria-valuetext={words.at(clock(position), clock(seconds))}
        min={0}
        max={seconds}
        step={Math.max(0.01, Math.min(1, seconds / 100))}
        value={Math.min(position, seconds)}
        disabled={!isReady}
        onChange={(event) => onSeek(Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** Drawn until the samples are loaded, or if they can't be read. */
function flat(channels: number, seconds: number): Sound {
  return { peaks: Array.from({ length: channels }, () => new Array<number>(bars).fill(0)), seconds };
}

/** An object URL of bytes, revoked when they are no longer shown. */
function useSource(bytes: Uint8Array<ArrayBuffer> | undefined): string | undefined {
  const [source, setSource] = useState<string | undefined>();
  useEffect(() => {
    if (bytes === undefined) return;
    const url = URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
    setSource(url);
    return () => {
      setSource(undefined);
      URL.revokeObjectURL(url);
    };
  }, [bytes]);
  return source;
}
