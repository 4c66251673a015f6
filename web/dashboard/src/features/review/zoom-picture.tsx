import { ActionIcon } from "@mantine/core";
import { IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { useWords } from "../../words/language.tsx";
import { reviewWords } from "./review.words.ts";
import { closerLook, type Frame, frameOf, movedBy, whole, zoomedAt } from "./zoom-view.ts";

interface Point {
  x: number;
  y: number;
}

const closer = 2.5;

/** The proof: pinch or wheel to zoom, drag to move, double-tap to reset. */
export function ZoomPicture({ src }: { src: string }) {
  const words = useWords(reviewWords);
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const { view, near, zoomAt, turn, gestures } = useZoom(frame, picture);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: gestures only add to the button below
    <div
      ref={frame}
      className="zoom"
      data-near={near}
      {...gestures}
      onDoubleClick={(event) => (near ? turn() : zoomAt(event, closer))}
      onWheel={(event) => (event.ctrlKey || near) && zoomAt(event, event.deltaY < 0 ? 1.15 : 0.87)}
    >
      <img
        ref={picture}
        src={src}
        alt={words.picture}
        draggable={false}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      />
      <ActionIcon
        variant="default"
        size={44}
        className="zoom-button"
        aria-label={words.zoom}
        aria-pressed={near}
        onDoubleClick={(event) => event.stopPropagation()}
        onClick={turn}
      >
        {near ? <IconZoomOut size={20} stroke={1.5} /> : <IconZoomIn size={20} stroke={1.5} />}
      </ActionIcon>
    </div>
  );
}

function useZoom(frame: RefObject<HTMLDivElement | null>, picture: RefObject<HTMLImageElement | null>) {
  const [view, setView] = useState(whole);
  const fingers = useRef(new Map<number, Point>());
  const near = view.scale > 1;
  const measure = (): Frame | null => (frame.current === null || picture.current === null ? null : frameOf(frame.current, picture.current));
  const zoomAt = ({ clientX, clientY }: { clientX: number; clientY: number }, factor: number) => {
    const [box, measured] = [frame.current?.getBoundingClientRect(), measure()];
    if (box === undefined || measured === null) return;
    const point = { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
    setView((now) => zoomedAt(now, factor, { point, frame: measured }));
  };
  const move = (by: Point) => {
    const measured = measure();
    if (measured !== null) setView((now) => movedBy(now, by, measured));
  };
  const turn = () => {
    const measured = measure();
    if (measured !== null) setView(near ? whole : closerLook(measured));
  };
  const onPointerMove = (event: PointerEvent) => {
    const last = fingers.current.get(event.pointerId);
    if (last === undefined) return;
    const before = spread(fingers.current);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = spread(fingers.current);
    const share = 1 / fingers.current.size;
    if (before > 0 && after > 0) zoomAt(middle(fingers.current), after / before);
    move({ x: (event.clientX - last.x) * share, y: (event.clientY - last.y) * share });
  };
  const onPointerDown = (event: PointerEvent) => {
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const onButton = event.target instanceof Element && event.target.closest("button") !== null;
    if (near && !onButton) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerUp = (event: PointerEvent) => void fingers.current.delete(event.pointerId);
  const gestures = { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onPointerLeave: onPointerUp };
  return { view, near, zoomAt, turn, gestures };
}

function middle(fingers: ReadonlyMap<number, Point>): { clientX: number; clientY: number } {
  const all = [...fingers.values()];
  const sum = (of: (point: Point) => number) => all.reduce((total, point) => total + of(point), 0) / all.length;
  return { clientX: sum(({ x }) => x), clientY: sum(({ y }) => y) };
}

/** Distance between two fingers; 0 for any other number of them. */
function spread(fingers: ReadonlyMap<number, Point>): number {
  const [one, two] = [...fingers.values()];
  return fingers.size === 2 && one !== undefined && two !== undefined ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
}
