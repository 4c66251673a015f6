import { ActionIcon } from "@mantine/core";
import { IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { type PointerEvent, useRef, useState } from "react";
import { useWords } from "../../words/language.tsx";
import { reviewWords } from "./review.words.ts";

interface View {
  scale: number;
  x: number;
  y: number;
}

const whole: View = { scale: 1, x: 0, y: 0 };
const closest = 6;
const closer = 2.5;

/** The proof: pinched or wheeled closer, dragged about, whole again with a double tap. */
export function ZoomPicture({ src }: { src: string }) {
  const words = useWords(reviewWords);
  const [view, setView] = useState(whole);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const zoom = (factor: number) =>
    setView((before) => {
      const scale = Math.min(closest, Math.max(1, before.scale * factor));
      return scale === 1 ? whole : { scale, x: (before.x * scale) / before.scale, y: (before.y * scale) / before.scale };
    });
  const onMove = (event: PointerEvent) => {
    const last = fingers.current.get(event.pointerId);
    if (last === undefined) return;
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    const before = spread(fingers.current);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = spread(fingers.current);
    if (before > 0 && after > 0) zoom(after / before);
    else setView((now) => (now.scale === 1 ? now : { ...now, x: now.x + dx, y: now.y + dy }));
  };
  const onUp = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const near = view.scale > 1;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: gestures only add to the button below
    <div
      className="zoom"
      data-near={near}
      onPointerDown={(event) => {
        fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (near) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onDoubleClick={() => (near ? setView(whole) : zoom(closer))}
      onWheel={(event) => (event.ctrlKey || near) && zoom(event.deltaY < 0 ? 1.15 : 0.87)}
    >
      <img src={src} alt={words.picture} draggable={false} style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }} />
      <ActionIcon
        variant="default"
        size={44}
        className="zoom-button"
        aria-label={words.zoom}
        aria-pressed={near}
        onClick={() => (near ? setView(whole) : zoom(closer))}
      >
        {near ? <IconZoomOut size={20} stroke={1.5} /> : <IconZoomIn size={20} stroke={1.5} />}
      </ActionIcon>
    </div>
  );
}

/** Distance of two fingers; 0 with any other number of them. */
function spread(fingers: ReadonlyMap<number, { x: number; y: number }>): number {
  const [one, two] = [...fingers.values()];
  return fingers.size === 2 && one !== undefined && two !== undefined ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
}
