import { existsSync } from "node:fs";

/** The released archive and the image include a separate program; a checkout uses npm. */
const isReleased = existsSync(new URL("../../../../bin/tillpost", import.meta.url));

/**
 * How a person runs one of the program's commands here: `npm run tillpost -- doctor`, or `tillpost doctor` if installed from an archive or
 * image.
 */
export function howToRun(command: string): string {
  return isReleased ? `tillpost ${command}` : `npm run tillpost -- ${command}`;
}

/** How a person starts the server here. */
export function howToStart(): string {
  return isReleased ? "tillpost serve" : "npm start";
}
