import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";

/** A small button that copies a text and says so. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const words = useWords(shared);
  const clipboard = useClipboard({ timeout: 1_500 });
  const shown = clipboard.copied ? words.copied : (label ?? words.copy);
  return (
    <Tooltip label={shown}>
      <ActionIcon variant="subtle" color="gray" size="md" aria-label={shown} onClick={() => clipboard.copy(text)} className="quiet-icon">
        {clipboard.copied ? <IconCheck size={16} stroke={1.5} /> : <IconCopy size={16} stroke={1.5} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A monospaced text with a copy button: ids, tokens, addresses, commands. */
export function Copyable({ text, shown, block = false }: { text: string; shown?: string; block?: boolean }) {
  return (
    <span className={block ? "copyable copyable-block" : "copyable"}>
      <code translate="no">{shown ?? text}</code>
      <CopyButton text={text} />
    </span>
  );
}
