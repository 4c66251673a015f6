import { useWords } from "../../../words/language.tsx";
import { Parts } from "../shown/parts.tsx";
import { sendWords } from "./send.words.ts";
import type { Estimate } from "./use-estimate.ts";

/** What sending a text needs: in one line, and as a chart if it has more than one part or needs the larger alphabet. */
export function Length({ estimate, brief = false }: { estimate: Estimate | null; brief?: boolean }) {
  const words = useWords(sendWords);
  if (estimate === null) return <p className="soft sms-length" />;
  const { encoding, segments, max_segments, fits, units, units_per_segment } = estimate;
  return (
    <>
      <p className="soft sms-length" aria-live="polite">
        {fits ? `${words.length(segments, encoding)} · ${words.filled(units, segments * units_per_segment)}` : words.tooLong(max_segments)}
      </p>
      {brief || (segments === 1 && encoding === "GSM-7") ? null : <Drawn estimate={estimate} />}
    </>
  );
}

function Drawn({ estimate: { encoding, parts, units_per_segment: most, characters_beyond_gsm7 } }: { estimate: Estimate }) {
  const beyond = new Set(characters_beyond_gsm7);
  const drawn = parts.map((text) => ({ text, units: null, most, beyond: [...new Set(text)].filter((character) => beyond.has(character)) }));
  return <Parts encoding={encoding} parts={drawn} />;
}
