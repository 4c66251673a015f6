import { useReducedMotion } from "@mantine/hooks";
import { type RefObject, useEffect, useState } from "react";

/**
 * The playback position in seconds: updated with every frame while it plays, four times per second for people who prefer reduced motion.
 */
export function usePosition(audio: RefObject<HTMLAudioElement | null>, isPlaying: boolean) {
  const [position, setPosition] = useState(0);
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false });
  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const look = () => setPosition(element.currentTime);
    if (!isPlaying || isCalm) {
      element.addEventListener("timeupdate", look);
      return () => element.removeEventListener("timeupdate", look);
    }
    let frame = requestAnimationFrame(function draw() {
      look();
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [audio, isPlaying, isCalm]);
  return { position, setPosition };
}
