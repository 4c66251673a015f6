import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectFailsAlone, faultsOf, oldDeep, tracked, withoutText } from "#test/support/mail/too-complex.ts";

const app = await testApp();
const deep = "<div>".repeat(400_000);

it("accepts or refuses 400 000 elements in one another, as a single message and in a batch", async () => {
  expect(await faultsOf(app, deep)).toEqual(["parameter_invalid html", "parameter_invalid html"]);
});

it.each([tracked])("fails one that was accepted before such rules, %s, with a code, and nothing else", (_how, features) =>
  expectFailsAlone(app, oldDeep, features),
);

it.each([tracked, withoutText])(
  "fails a long one that was accepted before such rules, %s, with a code, and nothing else",
  (_how, features) => expectFailsAlone(app, deep, features),
);
