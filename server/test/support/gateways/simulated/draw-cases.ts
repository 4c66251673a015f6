/**
 * Which cases are tested with which gateway: without a seed, all of them; with one, a third, chosen by the seed. Each gateway and each case
 * occurs in it, and the same seed gives the same choice.
 */
export function drawCases(seed: number | undefined): (gateway: number, testCase: number) => boolean {
  if (seed !== undefined) console.info(`cases of the gateways are drawn by ${seed}`);
  return (gateway, testCase) => seed === undefined || (gateway + testCase + seed) % 3 === 0;
}
