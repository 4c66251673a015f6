import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError, plainClient } from "../data/client.ts";
import { sayError } from "../data/errors.tsx";
import { PasswordField } from "../parts/field.tsx";
import { useLanguage, useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";
import { confirmWords } from "./confirm.words.ts";

/** The password once more. */
export default function ConfirmForm({ onEnd }: { onEnd(proved: boolean): void }) {
  const say = useWords(confirmWords);
  const all = useWords(shared);
  const { language } = useLanguage();
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const explain = (error: unknown) => (error instanceof ApiError && (error.status === 400 || error.status === 401) ? say.wrong : sayError(error, language));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    await plainClient
      .plain("POST /api/auth/confirm", { body: { password } })
      .then(() => onEnd(true))
      .catch((error: unknown) => setFault(explain(error)));
    setBusy(false);
  };
  return (
    <form className="ask" onSubmit={(event) => void submit(event)}>
      <p>{say.text}</p>
      <PasswordField label={say.password} autoComplete="current-password" data-autofocus value={password} error={fault} onWrite={setPassword} />
      <div className="ask-acts">
        <Button variant="default" onClick={() => onEnd(false)}>
          {all.cancel}
        </Button>
        <Button type="submit" loading={busy} disabled={password === ""}>
          {all.confirm}
        </Button>
      </div>
    </form>
  );
}
