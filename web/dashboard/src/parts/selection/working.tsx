import "./selection.css";

export interface Progress {
  done: number;
  total: number;
}

/** How much is done of work in several requests; nothing for what one request does. */
export function Working({ progress, text }: { progress: Progress | null; text(progress: Progress): string }) {
  if (progress === null || progress.total === 0) return null;
  return (
    <div className="working" role="status">
      <progress max={progress.total} value={progress.done} aria-hidden="true" />
      <span className="soft">{text(progress)}</span>
    </div>
  );
}
