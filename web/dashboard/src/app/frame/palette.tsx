import { Modal } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { shellWords } from "../../words/shell.words.ts";

const Finder = lazy(() => import("./finder.tsx"));

/** Ctrl-K: opens a page, runs a command, finds an order by reference or anything by its id. */
export function Palette({ open, onToggle }: { open: boolean; onToggle(open: boolean): void }) {
  const words = useWords(shellWords);
  const all = useWords(shared);
  useHotkeys([["mod+K", () => onToggle(!open)]], []);
  return (
    <Modal
      opened={open}
      onClose={() => onToggle(false)}
      title={<span className="unseen">{words.find}</span>}
      withCloseButton={false}
      closeButtonProps={{ "aria-label": all.close }}
      centered={false}
      yOffset="12vh"
      padding={0}
      size="lg"
      classNames={{ header: "palette-head" }}
    >
      <Suspense>
        <Finder onChosen={() => onToggle(false)} />
      </Suspense>
    </Modal>
  );
}
