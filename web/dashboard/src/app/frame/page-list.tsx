import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

export interface PageListProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** The list of pages, which may be longer than its space: the open page stays in view, and an edge with more beyond it fades out. */
export function PageList({ label, className, children }: PageListProps) {
  const list = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another link chosen
  useEffect(() => {
    const nav = list.current;
    if (nav === null) return;
    const place = () => {
      showChosen(nav);
      fadeEdges(nav);
    };
    // Fires immediately, and again when the window or the list changes.
    const watcher = new ResizeObserver(place);
    for (const one of [nav, ...nav.children]) watcher.observe(one);
    return () => watcher.disconnect();
  }, [path]);
  return (
    <nav ref={list} className={`page-list ${className}`} aria-label={label} onScroll={({ currentTarget }) => fadeEdges(currentTarget)}>
      {children}
    </nav>
  );
}

/** The height of the fade in the style sheet. */
const fade = 40;

/** Not with `scrollIntoView`, after which Tab would continue from there instead of from the top of the page. */
function showChosen(nav: HTMLElement): void {
  const frame = nav.getBoundingClientRect();
  const link = nav.querySelector(".nav-link.active")?.getBoundingClientRect();
  if (link === undefined) return;
  const [above, below] = [frame.top + fade - link.top, link.bottom + fade - frame.bottom];
  nav.scrollBy(0, above > 0 ? -above : Math.max(0, below));
}

function fadeEdges(nav: HTMLElement): void {
  const rest = nav.scrollHeight - nav.clientHeight - nav.scrollTop;
  nav.toggleAttribute("data-more-above", nav.scrollTop > 1);
  nav.toggleAttribute("data-more-below", rest > 1);
}
