/** A picture's position in its frame: scaled around the frame's center, then moved. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

/** The frame, and the size of the whole picture in it. */
export interface Frame {
  width: number;
  height: number;
  pictureWidth: number;
  pictureHeight: number;
}

export const whole: View = { scale: 1, x: 0, y: 0 };
const closest = 8;
const closer = 2.5;
/** From this ratio on, the picture is so narrow that filling the frame's width is close enough. */
const narrow = 1.5;

/** Measured in place: the picture is drawn as large as the frame allows. */
export function frameOf(element: HTMLElement, picture: HTMLImageElement): Frame {
  const { clientWidth: width, clientHeight: height } = element;
  const fit = Math.min(width / (picture.naturalWidth || 1), height / (picture.naturalHeight || 1));
  return { width, height, pictureWidth: picture.naturalWidth * fit, pictureHeight: picture.naturalHeight * fit };
}

/** What is under the point stays under it. The point is relative to the frame's center. */
export function zoomedAt(view: View, factor: number, given: { point: { x: number; y: number }; frame: Frame }): View {
  const { point, frame } = given;
  const scale = Math.min(closest, Math.max(1, view.scale * factor));
  const grown = scale / view.scale;
  return scale === 1 ? whole : within({ scale, x: point.x - (point.x - view.x) * grown, y: point.y - (point.y - view.y) * grown }, frame);
}

export function movedBy(view: View, by: { x: number; y: number }, frame: Frame): View {
  return view.scale === 1 ? view : within({ ...view, x: view.x + by.x, y: view.y + by.y }, frame);
}

/** The first zoom: a phone's screenshot fills the width and begins at its top, where wallets show what was paid. */
export function closerLook(frame: Frame): View {
  const filling = frame.width / (frame.pictureWidth || 1);
  const scale = filling < narrow ? closer : Math.min(closest, filling);
  return within({ scale, x: 0, y: frame.pictureHeight * scale }, frame);
}

/** Never so far that nothing is visible. */
function within({ scale, x, y }: View, frame: Frame): View {
  const bound = (at: number, drawn: number, room: number) => {
    const most = Math.max(0, (drawn * scale - room) / 2);
    return Math.min(most, Math.max(-most, at));
  };
  return { scale, x: bound(x, frame.pictureWidth, frame.width), y: bound(y, frame.pictureHeight, frame.height) };
}
