import { it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { composedHow, expectFailsAlone } from "#test/support/mail/too-complex.ts";

const app = await testApp();

it.each(composedHow)("fails a long one that was accepted before such rules, %s, with a code, and nothing else", (_how, features) =>
  expectFailsAlone(app, "<div>".repeat(400_000), features),
);
