import { Button } from "@mantine/core";
import { IconDownload, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { keyOf, useAction, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { saveFile } from "../../parts/files/save-file.ts";
import { ownAddress } from "../../parts/own-address.ts";
import { Section } from "../../parts/pages/page.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { clock } from "./player/clock.ts";
import { Player } from "./player/player.tsx";
import { recordingWords } from "./player/recordings.words.ts";

type Call = Objects["Call"];
type Recording = Objects["Recording"];

/** Larger ones are loaded on request. */
const fetchedAtOnce = 3 * 1024 * 1024;

/** The recordings of a call, each with its waveform. */
export function Recordings({ call }: { call: Call }) {
  const words = useWords(recordingWords);
  const read = useApi("GET /v1/calls/{id}/recordings", { path: { id: call.id }, query: { limit: 100 } });
  const recordings = read.data?.data ?? [];
  if (recordings.length === 0) return null;
  return (
    <Section title={words.title}>
      {recordings.map((recording) => (
        <One key={recording.id} recording={recording} />
      ))}
    </Section>
  );
}

function One({ recording }: { recording: Recording }) {
  const words = useWords(recordingWords);
  const { locale } = useLanguage();
  const here = useHere();
  const { id, source, duration, size_bytes, expires_at } = recording;
  const [isWanted, setWanted] = useState(size_bytes <= fetchedAtOnce);
  const bytes = useBytes(recording, isWanted);
  return (
    <div className="recording">
      <div className="spread">
        <strong>{words.sources[source]}</strong>
        {/* The player shows it too. */}
        {isWanted ? null : <span className="soft">{clock(duration)}</span>}
      </div>
      {isWanted ? null : (
        <Button variant="default" onClick={() => setWanted(true)}>
          {words.load(sizeOf(size_bytes, locale))}
        </Button>
      )}
      {bytes.error === null ? null : <p className="ask-error">{words.notLoaded}</p>}
      {isWanted && bytes.error === null ? <Player key={id} bytes={bytes.data} seconds={duration} channels={recording.channels} /> : null}
      <div className="recording-foot">
        <span className="soft">
          {words.until} <When at={expires_at} />
        </span>
        {/* There from the beginning, so that the next button doesn't move under a finger. */}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={16} stroke={1.5} />}
          disabled={bytes.data === undefined}
          onClick={() => bytes.data && saveFile(`${id}.wav`, new Blob([bytes.data], { type: "audio/wav" }))}
        >
          {words.download}
        </Button>
        {here.may("calls") ? <Remove recording={recording} /> : null}
      </div>
    </div>
  );
}

function sizeOf(bytes: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(bytes / 1024 / 1024);
}

/** The bytes behind a recording's signed URL, fetched once: a newer URL of the same recording changes nothing. */
function useBytes({ id, url }: Recording, enabled: boolean) {
  return useQuery({
    queryKey: ["bytes of a recording", ...keyOf(useHere(), "recording", id)],
    queryFn: async ({ signal }) => {
      const answer = await fetch(ownAddress(url), { signal });
      if (!answer.ok) throw new Error(`the recording was answered ${answer.status}`);
      return new Uint8Array(await answer.arrayBuffer());
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

function Remove({ recording }: { recording: Recording }) {
  const words = useWords(recordingWords);
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const action = useAction("DELETE /v1/calls/{id}/recordings/{recordingId}", { onRefused: () => true });
  return (
    <>
      <Button
        variant="subtle"
        color="failed"
        size="compact-sm"
        leftSection={<IconTrash size={16} stroke={1.5} />}
        onClick={() => setOpen(true)}
      >
        {words.remove}
      </Button>
      <Ask
        title={words.remove}
        open={isOpen}
        onClose={() => setOpen(false)}
        does={words.remove}
        danger
        onDo={async () => {
          await action.mutateAsync({ path: { id: recording.call_id, recordingId: recording.id } });
          notify.done(words.removed);
        }}
      >
        <p>{words.removeText}</p>
      </Ask>
    </>
  );
}
