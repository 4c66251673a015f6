import { testCrashPoints } from "./crash-points.ts";

// A number in its place repeats a run that has written it.
testCrashPoints(Math.floor(Math.random() * 1_000_000));
