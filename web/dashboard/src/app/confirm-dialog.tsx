import { Button, Modal, PasswordInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError, plainClient } from "../data/client.ts";
import { onConfirmation } from "../data/confirm.ts";
import { sayError } from "../data/errors.tsx";
import { defineWords, useLanguage, useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";

const words = defineWords(
  {
    title: "Confirm that it is you",
    text: "This needs your password once more. It is enough for the next ten minutes.",
    password: "Password",
    wrong: "That is not your password.",
  },
  { title: "请确认是您本人", text: "此操作需要再次输入密码，十分钟内无需重复。", password: "密码", wrong: "密码不正确。" },
);

/** Opens when the server asks for a fresh session; what was refused is then done without another press. */
export function ConfirmDialog() {
  const say = useWords(words);
  const all = useWords(shared);
  const { language } = useLanguage();
  const answer = useRef<((proved: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const end = (proved: boolean) => {
    answer.current?.(proved);
    answer.current = null;
    setPassword("");
    setFault(null);
    setOpen(false);
  };
  useEffect(() => {
    onConfirmation(() => {
      setOpen(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => onConfirmation(null);
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    await plainClient
      .plain("POST /api/auth/confirm", { body: { password } })
      .then(() => end(true))
      .catch((error: unknown) => setFault(error instanceof ApiError && (error.status === 400 || error.status === 401) ? say.wrong : sayError(error, language)));
    setBusy(false);
  };
  return (
    <Modal opened={open} onClose={() => end(false)} title={say.title} zIndex={400} closeButtonProps={{ "aria-label": all.close }}>
      <form className="ask" onSubmit={(event) => void submit(event)}>
        <p>{say.text}</p>
        <PasswordInput
          label={say.password}
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={fault}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <div className="ask-acts">
          <Button variant="default" onClick={() => end(false)}>
            {all.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={password === ""}>
            {all.confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
