/** The tag of messages and calls that carry a code: its value is the verification's id. */
const codeTag = "verification_id";

/** The verification whose code a message or call carries; its words are shown to no one. Null for all others. */
export function verificationOf({ tags }: { tags: readonly { name: string; value: string }[] }): string | null {
  return tags.find(({ name }) => name === codeTag)?.value ?? null;
}
