import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";

type Written<P> = Omit<P, "onChange"> & { onWrite(value: string): void };

/** A text field that hands on what was written. */
export function Field({ onWrite, ...rest }: Written<TextInputProps>) {
  return <TextInput withAsterisk={false} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}

export function PasswordField({ onWrite, ...rest }: Written<PasswordInputProps>) {
  return <PasswordInput withAsterisk={false} {...rest} onChange={(event) => onWrite(event.currentTarget.value)} />;
}
