import { Button, Textarea } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { fieldErrors } from "../../../data/errors.tsx";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { Length } from "../send/length.tsx";
import { useEstimate } from "../send/use-estimate.ts";
import { threadWords } from "./threads.words.ts";

export interface ReplyProps {
  contact: string;
  number: string;
  isStopped: boolean;
}

/** Writes to the contact, and in TEST as the contact: after they have opted out, nothing can be written to them. */
export function Reply({ contact, number, isStopped }: ReplyProps) {
  const words = useWords(threadWords);
  const here = useHere();
  const { body, setBody, fault, send, play } = useReply();
  const estimate = useEstimate(body);
  const isEmpty = body.trim() === "";
  const label = isStopped ? words.asContact : words.reply;
  if (isStopped && here.livemode) return null;
  return (
    <form
      className="reply"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !isStopped) send.mutate({ body: { from: number, to: contact, body } });
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={label}
        autosize
        minRows={2}
        maxRows={8}
        value={body}
        error={fault}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <div className="reply-actions">
        <Length estimate={estimate} brief />
        {here.livemode ? null : (
          <Button
            variant="light"
            color="test"
            loading={play.isPending}
            disabled={isEmpty}
            onClick={() => play.mutate({ body: { sms: { from: contact, to: number, body } } })}
          >
            {words.play}
          </Button>
        )}
        {isStopped ? null : (
          <Button type="submit" loading={send.isPending} disabled={isEmpty} leftSection={<IconSend size={16} stroke={1.5} />}>
            {words.send}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The text being written, and its two ways of sending. A sent message appears above a moment later, which is confirmation enough. */
function useReply() {
  const { language } = useLanguage();
  const [body, setBody] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const onDone = () => {
    setBody("");
    setFault(undefined);
  };
  const onRefused = (error: unknown) => {
    const problem = Object.values(fieldErrors(error, language))[0];
    setFault(problem);
    return problem !== undefined;
  };
  const send = useAction("POST /v1/sms", { once: true, onDone, onRefused });
  const play = useAction("POST /v1/test/inbound", { onDone, onRefused });
  return { body, setBody, fault, send, play };
}
