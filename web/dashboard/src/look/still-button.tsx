import type { ComponentProps, MouseEvent } from "react";

type StillButtonProps = ComponentProps<"button"> & { "data-loading"?: boolean };

/**
 * What buttons are made of. `disabled` would throw the keyboard out of the page when a button is pressed and then waits for its answer:
 * instead a button says that it is busy or may not be pressed, keeps the keyboard, and ignores presses.
 */
export function StillButton({ disabled = false, onClick, type = "button", ...rest }: StillButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!disabled) return onClick?.(event);
    // Enter in a field presses its form's button too.
    event.preventDefault();
    event.stopPropagation();
  };
  return <button {...rest} type={type} aria-disabled={disabled || undefined} aria-busy={rest["data-loading"] || undefined} onClick={press} />;
}
