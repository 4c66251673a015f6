import { Button } from "@mantine/core";
import { useWords } from "../../words/language.tsx";
import type { Waiting } from "./queue/use-queue.ts";
import { reviewWords } from "./review.words.ts";

/** Replaces the decision buttons once the buyer has sent something else, which is only shown when its reader asks for it. */
export function ChangedNote({ order, onShow }: { order: Waiting; onShow(): void }) {
  const words = useWords(reviewWords);
  return (
    <div className="note spread" data-tone="plain" role="status">
      <p>{words.changed(order.reference)}</p>
      <Button variant="default" size="compact-sm" onClick={onShow}>
        {words.showChanged}
      </Button>
    </div>
  );
}
