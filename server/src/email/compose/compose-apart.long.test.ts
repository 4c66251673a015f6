import { it } from "vitest";
import { composeCompletely } from "#test/support/mail/signed-message.ts";

it("composes 1 MB completely and signed", () => composeCompletely(1024 * 1024));

it("composes 25 MB completely and signed", () => composeCompletely(25 * 1024 * 1024));
