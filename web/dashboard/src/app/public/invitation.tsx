import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, plainClient } from "../../data/client.ts";
import { meQuery } from "../../data/session.ts";
import { Field, PasswordField } from "../../parts/fields/field.tsx";
import { useSearchText } from "../../parts/filters/search.ts";
import { Trouble } from "../../parts/pages/page.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { roleWords } from "../../words/roles.ts";
import { PublicPage, useEnter, useForm } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

interface Invitation {
  merchant_name: string;
  email: string;
  role: string;
  has_account: boolean;
}

/** The page of an invitation: who invites, and one button, with two fields for a new account above it. */
export default function InvitationPage() {
  const words = useWords(publicPageWords);
  const roles = useWords(roleWords) as Record<string, string>;
  // Kept in state: the URL loses it on navigation while this page is still shown.
  const [token] = useState(useSearchText("token") ?? "");
  const me = useQuery(meQuery);
  const read = useQuery({
    queryKey: ["invitation", token],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => plainClient.plain<Invitation>("POST /api/auth/invitation", { body: { token } }),
  });
  if (read.error !== null && !isDead(read.error))
    return (
      <PublicPage title={words.invited}>
        <Trouble error={read.error} again={() => void read.refetch()} />
      </PublicPage>
    );
  if (read.error !== null)
    return (
      <PublicPage title={words.linkOld} text={words.gone}>
        <div className="form">
          <Button component={Link} to="/sign-in" size="md" fullWidth>
            {words.signIn}
          </Button>
        </div>
      </PublicPage>
    );
  if (read.data === undefined || me.isPending) return <PublicPage title={words.invited}>{null}</PublicPage>;
  const { merchant_name, email, role, has_account } = read.data;
  const text = words.invitedText(merchant_name, roles[role] ?? role);
  if (has_account && me.data === null)
    return (
      <PublicPage title={words.invited} text={`${text} ${words.signInFirst}`}>
        <div className="form">
          <Button component={Link} to="/sign-in" search={{ next: `/invitation?token=${token}` } as never} size="md" fullWidth>
            {words.signIn}
          </Button>
        </div>
      </PublicPage>
    );
  return (
    <PublicPage title={words.invited} text={text}>
      <Accept token={token} email={email} isNew={!has_account} />
    </PublicPage>
  );
}

/** Only an error about the link itself is final; other errors are temporary. */
function isDead(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 404);
}

function Accept({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const words = useWords(publicPageWords);
  const { language } = useLanguage();
  const enter = useEnter();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { busy, fault, submit } = useForm(async () => {
    await plainClient.plain("POST /api/auth/accept-invitation", { body: { token, ...(isNew ? { name, password, language } : {}) } });
    if (isNew) await plainClient.plain("POST /api/auth/sign-in/email", { body: { email, password } });
    await enter().catch(() => navigate({ to: "/sign-in" }));
  });
  return (
    <form onSubmit={submit} className="form">
      {isNew ? (
        <>
          <TextInput label={words.email} value={email} readOnly size="md" autoComplete="username" />
          <Field label={words.name} required size="md" autoComplete="name" value={name} onWrite={setName} />
          <PasswordField
            label={words.password}
            description={words.passwordHint}
            required
            size="md"
            autoComplete="new-password"
            value={password}
            onWrite={setPassword}
          />
        </>
      ) : null}
      {fault}
      <Button type="submit" size="md" loading={busy} fullWidth>
        {words.accept}
      </Button>
    </form>
  );
}
