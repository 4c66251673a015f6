import type { Fault, Rule } from "../read/sources.ts";
import { readStatements, withoutComments } from "../read/statements.ts";

const shortLines = 20;

/**
 * A statement of more than 20 lines says in the comment above its function, after `Plan:`, which indexes it uses and why it is written like
 * this. Names in backticks there are names of the schema.
 */
export const longStatementsNameTheirPlan =
  (schema: string): Rule =>
  (files) => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    return readStatements(files)
      .filter(({ text }) => linesOf(withoutComments(text)) > shortLines)
      .flatMap(({ path, line, name, text }): Fault[] => {
        const plan = planAbove(texts.get(path) ?? "", name);
        const lines = linesOf(withoutComments(text));
        if (plan === undefined)
          return [
            { path, line, message: `${name} has ${lines} lines and no plan: say above it, after "Plan:", which indexes it walks and why` },
          ];
        const unknown = [...plan.matchAll(/`([a-z]\w*_\w+)`/g)]
          .map(([, word = ""]) => word)
          .filter((word) => !new RegExp(`\\b${word}\\b`).test(schema));
        return unknown.map((word) => ({
          path,
          line,
          message: `the plan of ${name} names ${word}, which the schema lacks: read the plan again`,
        }));
      });
  };

/** What the comment above a function says after `Plan:`. */
function planAbove(text: string, name: string): string | undefined {
  const at = new RegExp(`^(?:export )?(?:async )?(?:function|const) ${name}\\b`, "m").exec(text)?.index ?? 0;
  return /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, at))?.[1]?.match(/\bPlan: ([\s\S]*)/)?.[1];
}

function linesOf(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}
