import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { NoMailNote, useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useWords } from "../../words/language.tsx";
import { Door, useForm } from "./door.tsx";
import { doorWords } from "./door.words.ts";

export default function ForgotPassword() {
  const words = useWords(doorWords);
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const { busy, fault, submit } = useForm(async () => {
    await plainClient.plain("POST /api/auth/request-password-reset", { body: { email } });
    setSent(true);
  });
  return (
    <Door title={words.forgotTitle} {...(useSendsMail() === false ? {} : { text: sent ? words.linkSent : words.forgotText })}>
      <NoMailNote need="reset" />
      {sent ? null : (
        <form onSubmit={submit} className="form">
          <TextInput
            label={words.email}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            size="md"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoFocus
          />
          {fault}
          <Button type="submit" size="md" loading={busy} fullWidth>
            {words.sendLink}
          </Button>
        </form>
      )}
      <p className="door-foot">
        <Link to="/sign-in">{words.signIn}</Link>
      </p>
    </Door>
  );
}
