/** The logo: a till's slot that is also an envelope's flap. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg className="mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <rect width="24" height="24" rx="6" />
      <path d="M5.5 8.25h13M6.5 8.5l5.5 5.25 5.5-5.25" />
    </svg>
  );
}
