import { testCrashPoints } from "./crash-points.ts";

// Pass the seed that a run printed to repeat that run.
testCrashPoints(Math.floor(Math.random() * 1_000_000));
