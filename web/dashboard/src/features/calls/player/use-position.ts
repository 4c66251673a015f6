import { useReducedMotion } from "@mantine/hooks";
import { type RefObject, useEffect, useState } from "react";

/** Where a sound stands, in seconds: with every picture the screen draws while it plays, four times a second for those who want less motion. */
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
