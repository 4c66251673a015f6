import { expect, it } from "vitest";
import { namesAreTheFields } from "./earlier-names.ts";

const faults = (text: string) =>
  namesAreTheFields([{ path: "server/src/orders/pay.ts", text }]).map(({ line, message }) => [line, message]);

it("refuses earlier names of variables, parameters, functions and types, wherever they are declared", () => {
  expect(faults("const paid = 1;\nfunction tendOrders(told: number) {\n  return told + paid;\n}\n")).toEqual([
    [2, "tendOrders is an earlier name: say process, poll or maintain"],
    [2, "told is an earlier name: say notified, reported, sent or received"],
  ]);
  expect(faults("interface House {}\nconst lane = 1;\n")).toHaveLength(2);
  expect(faults("export function tend() {}\n")).toHaveLength(1);
});

it("leaves columns, other words and texts alone", () => {
  expect(faults('const row = { sequel: null, told: 1 };\nconst tender = "they told us, and tend to it";\nrow.told += 1;\n')).toEqual([]);
});
