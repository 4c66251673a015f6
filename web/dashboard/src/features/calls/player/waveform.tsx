import { memo } from "react";

const height = 40;
const step = 3;
const thick = 2;

/** Bars as high as the audio is loud; the played part in the accent color. */
export function Waveform({ peaks, loudest, part }: { peaks: readonly number[]; loudest: number; part: number }) {
  return (
    <span className="waveform" aria-hidden="true">
      <Bars peaks={peaks} loudest={loudest} />
      <span className="waveform-heard" style={{ clipPath: `inset(0 ${(1 - part) * 100}% 0 0)` }}>
        <Bars peaks={peaks} loudest={loudest} />
      </span>
    </span>
  );
}

/** Drawn once per recording, not with every frame while it plays. */
const Bars = memo(function Bars({ peaks, loudest }: { peaks: readonly number[]; loudest: number }) {
  // The square root, so that quiet speech is visible next to loud speech.
  const path = peaks.map((peak, index) => {
    const high = Math.max(2, Math.sqrt(peak / loudest) * height);
    return `M${index * step} ${(height - high) / 2}h${thick}v${high}h-${thick}z`;
  });
  return (
    <svg viewBox={`0 0 ${peaks.length * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join("")} />
    </svg>
  );
});
