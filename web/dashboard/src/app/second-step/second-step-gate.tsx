import { Button, UnstyledButton } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { plainClient } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useWords } from "../../words/language.tsx";
import { PublicPage } from "../public/public-page.tsx";
import { secondStepWords } from "./second-step.words.ts";

const TwoStep = lazy(() => import("../../features/security/two-step.tsx").then((file) => ({ default: file.TwoStep })));

/** If the business requires a second step of its team, a person without one only sees the page that sets it up. */
export function SecondStepGate({ children }: { children: ReactNode }) {
  const words = useWords(secondStepWords);
  const { me, membership } = useHere();
  const isMissing = membership?.second_step_required === true && !me.has_second_step;
  // Stays until the reader continues: the recovery codes are only shown once, after it was turned on.
  const [isOpen, setOpen] = useState(isMissing);
  if (isMissing && !isOpen) setOpen(true);
  if (!isMissing && !isOpen) return children;
  return (
    <PublicPage title={words.title} text={words.text(membership?.merchant_name ?? "")}>
      <Suspense fallback={null}>
        <TwoStep />
      </Suspense>
      {isMissing ? (
        <UnstyledButton className="link-button" onClick={() => void leave()}>
          {words.signOut}
        </UnstyledButton>
      ) : (
        <Button fullWidth size="md" onClick={() => setOpen(false)}>
          {words.open}
        </Button>
      )}
    </PublicPage>
  );
}

async function leave(): Promise<void> {
  await plainClient.plain("POST /api/auth/sign-out", { body: {} }).catch(() => {});
  location.assign("/dashboard/sign-in");
}
