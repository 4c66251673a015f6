import { Modal } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Me } from "../../data/session.ts";
import { useWords } from "../../words/language.tsx";
import { publicPageWords } from "./public-page.words.ts";

const SignInAgain = lazy(() => import("./sign-in-again.tsx"));

const solid = { backgroundOpacity: 1, color: "var(--n2)" };

/** Hides the page from others at the screen, and keeps entered text until its reader has signed in again. */
export function SessionEnded({ me, open }: { me: Me; open: boolean }) {
  const words = useWords(publicPageWords);
  return (
    <Modal
      opened={open}
      onClose={() => {}}
      title={words.endedTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      zIndex={500}
      overlayProps={solid}
    >
      <Suspense>
        <SignInAgain me={me} />
      </Suspense>
    </Modal>
  );
}
