let isWhole = false;

/** A long form calls this and then imports the file of the short form, which leaves nothing out then. */
export function leaveNothingOut(): void {
  isWhole = true;
}

/**
 * Whether the short form tests a case in a variant: every second one, so that each variant is tested with some cases, and each case in some
 * variants.
 */
export function isTested(variant: number, testCase: number): boolean {
  return isWhole || (variant + testCase) % 2 === 0;
}

/** The variants in which the short form tests a case. */
export function variantsOf<Variant>(variants: readonly Variant[], testCase: number): Variant[] {
  return variants.filter((_variant, at) => isTested(at, testCase));
}
