import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { useSearchText } from "../../parts/filters/search.ts";
import { NoMailNote } from "../../parts/notes/no-mail-note.tsx";
import { useWords } from "../../words/language.tsx";
import { PublicPage } from "./public-page.tsx";
import { publicPageWords } from "./public-page.words.ts";

/**
 * The page of the link that confirms an address. Sends one request: the token works once, and is removed from the URL while this page is
 * still shown.
 */
export default function VerifyEmail() {
  const words = useWords(publicPageWords);
  const [token] = useState(useSearchText("token") ?? "");
  const read = useQuery({
    queryKey: ["verify-email", token],
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => plainClient.plain("POST /api/auth/verify-email", { body: { token } }),
  });
  if (read.isPending) return <PublicPage title={words.confirming}>{null}</PublicPage>;
  return (
    <PublicPage title={read.isSuccess ? words.confirmed : words.linkOld} text={read.isSuccess ? words.confirmedText : words.linkOldText}>
      <div className="form">
        {read.isSuccess ? null : <NoMailNote need="confirm" />}
        <Button component={Link} to="/" size="md" fullWidth>
          {read.isSuccess ? words.goOn : words.signIn}
        </Button>
      </div>
    </PublicPage>
  );
}
