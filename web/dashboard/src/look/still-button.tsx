import type { ComponentProps, MouseEvent } from "react";

type StillButtonProps = ComponentProps<"button"> & { "data-loading"?: boolean };

/**
 * The base of all buttons. `disabled` would drop the focus when a button is clicked and then waits for its response. Instead, a button says
 * that it is busy or can't be clicked, keeps the focus, and ignores clicks.
 */
export function StillButton({ disabled = false, onClick, type = "button", ...rest }: StillButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!disabled) return onClick?.(event);
    // Enter in a field clicks its form's button too.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button {...rest} type={type} aria-disabled={disabled || undefined} aria-busy={rest["data-loading"] || undefined} onClick={press} />
  );
}
