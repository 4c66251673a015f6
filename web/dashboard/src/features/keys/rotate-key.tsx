import { Select } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { ApiKey } from "./api-key.ts";
import { keyWords } from "./keys.words.ts";

const overlaps = { none: 0, hour: 3_600, day: 86_400, week: 604_800 };

type Overlap = keyof typeof overlaps;

export function RotateKey({ apiKey, onClose, onMade }: { apiKey: ApiKey; onClose(): void; onMade(key: ApiKey): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const [overlap, setOverlap] = useState<Overlap>("none");
  const action = useAction<ApiKey>("POST /api/v1/projects/{projectId}/api-keys/{id}/rotate", { onRefused: () => true });
  const rotate = async () => {
    const seconds = overlaps[overlap];
    onMade(await action.mutateAsync({ path: { id: apiKey.id }, body: seconds === 0 ? {} : { expire_old_in_seconds: seconds } }));
  };
  return (
    <Ask title={all.about(words.rotate, apiKey.name)} open onClose={onClose} does={words.rotate} onDo={rotate}>
      <p>{words.rotateText}</p>
      <Select
        label={words.overlap}
        value={overlap}
        onChange={(value) => setOverlap((value ?? "none") as Overlap)}
        allowDeselect={false}
        data={(Object.keys(overlaps) as Overlap[]).map((value) => ({ value, label: words.overlaps[value] }))}
      />
    </Ask>
  );
}

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const words = useWords(keyWords);
  const all = useWords(shared);
  const notify = useNotify();
  const action = useAction("DELETE /api/v1/projects/{projectId}/api-keys/{id}", { onRefused: () => true });
  const revoke = async () => {
    await action.mutateAsync({ path: { id: apiKey.id } });
    notify.done(words.revoked);
  };
  return (
    <Ask title={all.about(words.revoke, apiKey.name)} open onClose={onClose} does={words.revoke} danger onDo={revoke}>
      <p>{words.revokeText}</p>
    </Ask>
  );
}
