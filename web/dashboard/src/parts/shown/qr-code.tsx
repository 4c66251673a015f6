import { encode } from "uqr";

/** A QR code drawn as one path: black on white in every theme, or scanners wouldn't read it. */
export function QrCode({ text, label, size = 256 }: { text: string; label: string; size?: number }) {
  const { data, size: modules } = encode(text, { border: 3, ecc: "M" });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
