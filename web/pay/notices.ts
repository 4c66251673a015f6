/** Announces a text to those who don't see the page change. */
export function say(text: string): void {
  const line = document.getElementById("say");
  if (line !== null) line.textContent = text;
}

/** Shows why the last form wasn't accepted. */
export function showProblem(text: string): void {
  const notice = document.getElementById("problem");
  const line = notice?.querySelector("[data-problem]");
  if (notice === null || line === null || line === undefined) return;
  line.textContent = text;
  notice.hidden = false;
  notice.scrollIntoView({ block: "nearest" });
}
