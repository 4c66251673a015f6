import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { NoMailNote, useSendsMail } from "../../parts/notes/no-mail-note.tsx";
import { useWords } from "../../words/language.tsx";
import { PublicPage, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

export default function ForgotPassword() {
  const words = useWords(publicPageWords);
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const { busy, fault, submit } = useForm(async () => {
    await plainClient.plain("POST /api/auth/request-password-reset", { body: { email } });
    setSent(true);
  });
  return (
    <PublicPage title={words.forgotTitle} {...(useSendsMail() === false ? {} : { text: sent ? words.linkSent : words.forgotText })}>
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
      <p className="public-page-foot">
        <Link to="/sign-in">{words.signIn}</Link>
      </p>
    </PublicPage>
  );
}
