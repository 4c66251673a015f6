import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";

type Written<P> = Omit<P, "onChange"> & { onWrite(value: string): void };

/** A text field whose callback gets the text. */
export function Field({ onWrite, ...rest }: Written<TextInputProps>) {
  return <TextInput withAsterisk={false} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}

/** The same with a masked text. */
export function PasswordField({ onWrite, ...rest }: Written<PasswordInputProps>) {
  const words = useWords(shared);
  // Other fields set this themselves when they are invalid.
  const given = {
    withAsterisk: false,
    visibilityToggleButtonProps: { "aria-label": words.showPassword },
    "aria-invalid": Boolean(rest.error) || undefined,
  };
  return <PasswordInput {...given} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}
