import { generateKeyPairSync, randomBytes } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { expect } from "vitest";
import { type ComposeJob, composeApart } from "#email/compose/compose-apart.ts";
import { dkimRecordOf } from "./dkim-record.ts";
import { plainMessage } from "./plain-message.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** A small message that is signed, as it is passed to a thread. */
export const signedMessage: ComposeJob = { ...plainMessage, dkim: { domain: "acme.example", selector: "t1", key }, tracking: null };

/** Composes a message with an attachment of so many bytes, and expects it to contain them all and to have a valid signature. */
export async function composeCompletely(bytes: number): Promise<void> {
  const content = randomBytes(bytes);
  // The thread takes ownership of what it is given.
  const attachments = [{ filename: "a.bin", content: Buffer.from(content), content_type: null, content_id: null }];
  const result = await composeApart({ ...signedMessage, attachments }, { isLarge: true });
  const mail = await PostalMime.parse(result);
  expect(Buffer.compare(Buffer.from(mail.attachments[0]?.content as ArrayBuffer), content)).toBe(0);
  const resolver = async () => [[dkimRecordOf(key)]];
  const { results } = await dkimVerify(result, { resolver });
  expect(results[0]?.status.result).toBe("pass");
}
