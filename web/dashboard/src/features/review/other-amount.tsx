import { UnstyledButton } from "@mantine/core";
import { useWords } from "../../words/language.tsx";
import { reviewWords } from "./review.words.ts";

export function OtherAmountLink({ onOpenDialog }: { onOpenDialog(): void }) {
  const words = useWords(reviewWords);
  return (
    <UnstyledButton className="link-button" style={{ alignSelf: "flex-start" }} onClick={onOpenDialog}>
      {words.other}
    </UnstyledButton>
  );
}
