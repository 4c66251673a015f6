import { expect, test } from "vitest";
import { deafFault, readVoiceAccounts } from "./settings.ts";

test("an account specifies how many calls it carries, who answers them and what it stores, with defaults for the rest", () => {
  const [main, other] = readVoiceAccounts(
    "https://AC1:a@api.twilio.com?name=main&channels=3&amd=1&delete_recordings=0,https://AC2:b@space.example/api/laml?countries=49",
  );
  expect(main).toMatchObject({
    name: "main",
    base: "https://api.twilio.com/2010-04-01",
    channels: 3,
    detectsMachines: true,
    deletesRecordings: false,
  });
  expect(other).toMatchObject({
    base: "https://space.example/api/laml",
    channels: 30,
    detectsMachines: false,
    deletesRecordings: true,
    reach: ["49"],
  });
  for (const wrong of ["channels=0", "channels=1001", "amd=2", "delete_recordings=yes", "cps=1"])
    expect(() => readVoiceAccounts(`https://AC1:geheim@api.twilio.com?${wrong}`), wrong).toThrow(/^(?!.*geheim)account 1 /);
});

test("a remote carrier can't call a server that only its own machine reaches", () => {
  const [here, elsewhere] = [readVoiceAccounts("http://AC1:a@127.0.0.1:9"), readVoiceAccounts("https://AC1:a@api.twilio.com")];
  expect([deafFault(here, "http://localhost:8080"), deafFault(elsewhere, "https://pay.example.com")]).toEqual([null, null]);
  expect(deafFault([...here, ...elsewhere], "http://localhost:8080")).toContain("PUBLIC_URL must be");
});
