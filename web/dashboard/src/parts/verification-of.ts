/** The tag of messages and calls that contain a code: its value is the verification's id. */
const codeTag = "verification_id";

/** The verification whose code a message or call contains; its text is shown to no one. null for all others. */
export function verificationOf({ tags }: { tags: readonly { name: string; value: string }[] }): string | null {
  return tags.find(({ name }) => name === codeTag)?.value ?? null;
}
