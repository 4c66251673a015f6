import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useHere } from "../../../data/here.tsx";
import { useSearch } from "../../../parts/filters/search.ts";
import { useWords } from "../../../words/language.tsx";
import { sendWords } from "./send.words.ts";
import { SendSms } from "./send-sms.tsx";

/** The button that starts a message, null for those who may not send, and the dialog once it is open. */
export function useSending(): { button: ReactNode; dialog: ReactNode } {
  const words = useWords(sendWords);
  const here = useHere();
  const { values, set } = useSearch();
  const button = here.may("sms") ? (
    <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => set({ new: "1" })}>
      {words.send}
    </Button>
  ) : null;
  return { button, dialog: values["new"] === undefined ? null : <SendSms onClose={() => set({ new: undefined })} /> };
}
