import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useWords } from "../words/language.tsx";
import { shared } from "../words/shared.ts";

type Written<P> = Omit<P, "onChange"> & { onWrite(value: string): void };

/** A text field that hands on what was written. */
export function Field({ onWrite, ...rest }: Written<TextInputProps>) {
  return <TextInput withAsterisk={false} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}

export function PasswordField({ onWrite, ...rest }: Written<PasswordInputProps>) {
  const words = useWords(shared);
  const eye = { "aria-label": words.showPassword };
  return <PasswordInput withAsterisk={false} visibilityToggleButtonProps={eye} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}
