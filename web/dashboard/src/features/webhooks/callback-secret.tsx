import { Button } from "@mantine/core";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { useAction, useApi } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { ShowSecret } from "../../parts/dialogs/show-secret.tsx";
import { type Fact, Facts } from "../../parts/pages/object-page.tsx";
import { Loaded, Section } from "../../parts/pages/page.tsx";
import { When } from "../../parts/shown/when.tsx";
import { useWords } from "../../words/language.tsx";
import { webhookWords } from "./webhooks.words.ts";

type Secret = Objects["CallbackSecret"];
type OpenDialog = "roll" | "promote" | null;

const own = "/api/v1/projects/{projectId}/callback-secret";

/** What signs requests to `status_callback` addresses of single messages: one secret per project and environment. */
export function CallbackSecret() {
  const words = useWords(webhookWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/callback-secret");
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const held = read.data;
  return (
    <Section title={words.callbackSecret}>
      <p className="soft">{words.callbackText}</p>
      <Loaded read={read}>{(secret) => <State secret={secret} />}</Loaded>
      {held === undefined || !here.may("webhooks") ? null : <RowActions secret={held} onOpenDialog={setOpenDialog} />}
      <Dialogs openDialog={openDialog} isFirst={held?.secret_last4 === null} onClose={() => setOpenDialog(null)} />
    </Section>
  );
}

function State({ secret }: { secret: Secret }) {
  const words = useWords(webhookWords);
  const { secret_last4, next_secret_last4, next_secret_at, old_secret_until, created_at } = secret;
  if (secret_last4 === null) return <p>{words.noCallbackSecret}</p>;
  const facts: (Fact | null)[] = [
    { label: words.secret, value: <Ending last4={secret_last4} /> },
    next_secret_last4 === null ? null : { label: words.nextSecret, value: <Ending last4={next_secret_last4} /> },
    next_secret_at === null ? null : { label: words.takesOver, value: <When at={next_secret_at} long /> },
    old_secret_until === null ? null : { label: words.oldSecretUntil, value: <When at={old_secret_until} long /> },
    { label: words.madeAt, value: <When at={created_at} long /> },
  ];
  return <Facts facts={facts} />;
}

function Ending({ last4 }: { last4: string }) {
  return <code translate="no">whsec_…{last4}</code>;
}

function RowActions({ secret, onOpenDialog }: { secret: Secret; onOpenDialog(openDialog: OpenDialog): void }) {
  const words = useWords(webhookWords);
  const isFirst = secret.secret_last4 === null;
  const isRolling = secret.next_secret_last4 !== null;
  return (
    <div className="line">
      {isRolling ? (
        <Button variant="default" onClick={() => onOpenDialog("promote")}>
          {words.promote}
        </Button>
      ) : (
        <Button variant="default" onClick={() => onOpenDialog("roll")}>
          {isFirst ? words.makeSecret : words.roll}
        </Button>
      )}
    </div>
  );
}

function Dialogs({ openDialog, isFirst, onClose }: { openDialog: OpenDialog; isFirst: boolean; onClose(): void }) {
  const words = useWords(webhookWords);
  const notify = useNotify();
  const [rolled, setRolled] = useState<string | null>(null);
  const shown = { onRefused: () => true };
  const roll = useAction<Secret>(`POST ${own}/roll`, shown);
  const promote = useAction<Secret>(`POST ${own}/promote`, shown);
  const begin = async () => setRolled((await roll.mutateAsync({ body: {} })).secret);
  const finish = async () => {
    await promote.mutateAsync({ body: {} });
    notify.done(words.promoted);
  };
  const does = isFirst ? words.makeSecret : words.roll;
  return (
    <>
      <Ask title={does} open={openDialog === "roll"} onClose={onClose} does={does} onDo={begin}>
        <p>{isFirst ? words.makeSecretText : words.rollText}</p>
      </Ask>
      <Ask title={words.promote} open={openDialog === "promote"} onClose={onClose} does={words.promote} onDo={finish}>
        <p>{words.promoteText}</p>
      </Ask>
      <ShowSecret secret={rolled} title={words.callbackSecret} onClose={() => setRolled(null)} />
    </>
  );
}
