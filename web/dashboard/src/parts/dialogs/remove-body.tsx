import { Button } from "@mantine/core";
import { useState } from "react";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "./ask.tsx";

interface RemoveBodyProps {
  route: "DELETE /v1/calls/{id}/body" | "DELETE /v1/sms/{id}/body";
  id: string;
  words: { remove: string; removeText: string; removed: string };
}

/** A button that asks, then deletes what a message or call contains. */
export function RemoveBody({ route, id, words }: RemoveBodyProps) {
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const action = useAction(route, { onRefused: () => true });
  const remove = async () => {
    await action.mutateAsync({ path: { id } });
    notify.done(words.removed);
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.remove}
      </Button>
      <Ask title={words.remove} open={isOpen} onClose={() => setOpen(false)} does={words.remove} danger onDo={remove}>
        <p>{words.removeText}</p>
      </Ask>
    </>
  );
}
