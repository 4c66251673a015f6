import { Outlet, useMatches } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useLiveUpdates } from "../../data/live.ts";
import { useWords } from "../../words/language.tsx";
import { shellWords } from "../../words/shell.words.ts";
import { SecondStepNote } from "../second-step/second-step-note.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame of every screen. */
export function Shell() {
  const { livemode } = useHere();
  const isAboutLive = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.live === true) });
  const words = useWords(shellWords);
  const live = useLiveUpdates();
  const [searching, setSearching] = useState(false);
  return (
    <div className="shell">
      <a href="#main" className="skip">
        {words.skip}
      </a>
      {livemode ? null : (
        <section className="test-bar" aria-label={words.test}>
          <strong>{words.test}</strong>
          <span>{isAboutLive ? words.liveBar : words.testBar}</span>
        </section>
      )}
      <div className="shell-body">
        <Rail />
        <div className="shell-main">
          <TopBar live={live} onSearch={() => setSearching(true)} />
          <SecondStepNote />
          <Outlet />
        </div>
      </div>
      <BottomBar />
      <Palette open={searching} onToggle={setSearching} />
    </div>
  );
}
