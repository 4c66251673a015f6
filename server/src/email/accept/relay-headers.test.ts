import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";

const { ctx, tenant } = await testApp();
const shop = await tenant({ livemode: true });
const room = mailRoom(ctx);

it.each([
  ...["X-SMTPAPI", "X-MSYS-API", "X-MC-BccAddress", "x-ses-source-arn", "X-Mailgun-Recipient-Variables", "X-PM-Message-Stream"],
  ...["X-MJ-CustomID", "X-SIB-API", "X-Mandrill-Track"],
])("refuses the header %s, which a relay would take as a command", async (name) => {
  await expect(room.send(shop, { headers: { [name]: "{}" } })).rejects.toMatchObject({
    status: 400,
    code: "header_not_allowed",
    extras: { details: [{ param: `headers.${name}`, reason: "relay_header" }] },
  });
});

it.each(["X-Api", "X-Mcafee", "X-Campaign"])("accepts the header %s", async (name) => {
  await expect(room.send(shop, { headers: { [name]: "1" } })).resolves.toMatchObject({ email: { status: "queued" } });
});
