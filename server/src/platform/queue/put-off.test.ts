import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Ctx } from "../context.ts";
import { beginPass, countPutOff } from "./put-off.ts";

const kind = { task: "expire_orders", kind: "order" };
let ctx: Pick<Ctx, "db" | "log">;
let logged: object[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  logged = [];
  ctx = { db: {}, log: { error: (line: object) => logged.push(line) } } as unknown as typeof ctx;
});
afterEach(() => void vi.useRealTimers());

const fail = async () => Promise.reject(new Error("no"));
const succeed = async () => "done";

test("a row that fails is tried again with the next pass, then after a second, doubled each time up to a quarter of an hour", async () => {
  const pauses: number[] = [];
  for (let failures = 0; failures < 14; failures += 1) {
    const pass = beginPass(ctx, kind);
    expect(pass.due).toEqual(failures === 0 ? [] : ["ord_1"]);
    expect(await pass.attempt("ord_1", fail)).toBeNull();
    let seconds = 0;
    for (; beginPass(ctx, kind).waiting.length > 0; seconds += 1) vi.advanceTimersByTime(1_000);
    pauses.push(seconds);
  }
  expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

test("a row that waits isn't tried, and the others are; once it succeeds, it is forgotten", async () => {
  for (let pass = 0; pass < 2; pass += 1) await beginPass(ctx, kind).attempt("ord_1", fail);
  const pass = beginPass(ctx, kind);
  expect([await pass.attempt("ord_1", succeed), await pass.attempt("ord_2", succeed)]).toEqual([null, "done"]);
  expect([countPutOff(ctx.db, "expire_orders"), countPutOff(ctx.db, "expire")]).toEqual([1, 0]);
  vi.advanceTimersByTime(1_000);
  expect(await beginPass(ctx, kind).attempt("ord_1", succeed)).toBe("done");
  expect(countPutOff(ctx.db, "expire_orders")).toBe(0);
});

test("a row that isn't found is tried once more after a pause, and forgotten if it isn't found then either", async () => {
  await beginPass(ctx, kind).attempt("ord_1", fail);
  const miss = async () => {
    const pass = beginPass(ctx, kind);
    await pass.attempt("ord_1", async () => pass.miss("ord_1"));
  };
  await miss();
  expect([beginPass(ctx, kind).waiting, logged.length]).toEqual([["ord_1"], 1]);
  vi.advanceTimersByTime(1_000);
  expect(beginPass(ctx, kind).due).toEqual(["ord_1"]);
  await miss();
  expect(countPutOff(ctx.db, "expire_orders")).toBe(0);
});

test("a row that isn't found between two failures keeps its growing pauses", async () => {
  for (let pass = 0; pass < 5; pass += 1) {
    await beginPass(ctx, kind).attempt("ord_1", fail);
    vi.advanceTimersByTime(900_000);
  }
  const pass = beginPass(ctx, kind);
  await pass.attempt("ord_1", async () => pass.miss("ord_1"));
  vi.advanceTimersByTime(900_000);
  await beginPass(ctx, kind).attempt("ord_1", fail);
  vi.advanceTimersByTime(15_000);
  expect(beginPass(ctx, kind).waiting).toEqual(["ord_1"]);
  vi.advanceTimersByTime(1_000);
  expect(beginPass(ctx, kind).due).toEqual(["ord_1"]);
});

test("a row that two passes over all rows no longer have is forgotten, and one that still fails isn't", async () => {
  for (const name of ["ord_1", "ord_2"]) await beginPass(ctx, kind).attempt(name, fail);
  for (const left of [2, 1]) {
    const pass = beginPass(ctx, kind);
    await pass.attempt("ord_2", fail);
    pass.end();
    expect(countPutOff(ctx.db, "expire_orders")).toBe(left);
    vi.advanceTimersByTime(1_000);
  }
});

test("an unavailable database is no row's fault", async () => {
  const away = async () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  await expect(beginPass(ctx, kind).attempt("ord_1", away)).rejects.toThrow("away");
  expect([countPutOff(ctx.db, "expire_orders"), logged]).toEqual([0, []]);
});

test("after several failures one after the other, the rest of a list waits for the next pass, which begins with it", async () => {
  const tried: string[] = [];
  const rows = Array.from({ length: 8 }, (_none, n) => `ord_${n}`);
  const work = async (name: string) => {
    tried.push(name);
    if (name < "ord_6") throw new Error("no");
  };
  const nameOf = (name: string) => name;
  expect(await beginPass(ctx, kind).each(rows, nameOf, work)).toBe(0);
  expect(tried).toEqual(rows.slice(0, 5));
  tried.length = 0;
  expect(await beginPass(ctx, kind).each(rows, nameOf, work)).toBe(2);
  expect(tried.slice(0, 3)).toEqual(rows.slice(5));
});

test("if the first rows of a pass all fail, it ends with the fifth; they say nothing about the rows of the next one", async () => {
  const tried: string[] = [];
  const rows = Array.from({ length: 8 }, (_none, n) => `ord_${n}`);
  const sweep = async (works: readonly string[]) => {
    const pass = beginPass(ctx, kind);
    tried.length = 0;
    for (const name of rows) {
      await pass.attemptInTurn(name, async () => {
        tried.push(name);
        if (!works.includes(name)) throw new Error("no");
      });
    }
  };
  await expect(sweep([])).rejects.toThrow("no");
  expect([tried, countPutOff(ctx.db, "expire_orders")]).toEqual([rows.slice(0, 5), 5]);
  await sweep(["ord_7"]);
  expect([tried, countPutOff(ctx.db, "expire_orders")]).toEqual([rows, 7]);
});

test("each pass in a row that ends so takes twice as many rows, up to forty, and a success begins again with five", async () => {
  let last = 0;
  const failAll = async () => {
    const pass = beginPass(ctx, kind);
    for (let tries = 1; tries <= 100; tries += 1) {
      const isOver = await pass.attemptInTurn(`ord_${(last += 1)}`, fail).catch(() => true);
      if (isOver === true) return tries;
    }
    return null;
  };
  expect([await failAll(), await failAll(), await failAll(), await failAll(), await failAll()]).toEqual([5, 10, 20, 40, 40]);
  await beginPass(ctx, kind).attempt("ord_0", succeed);
  expect(await failAll()).toBe(5);
});

test("after three failures of one tenant's rows, its others are put off untried, and those of other tenants are tried", async () => {
  const pass = beginPass(ctx, kind);
  const tried: string[] = [];
  const work = (name: string, works: boolean) => () => {
    tried.push(name);
    return works ? succeed() : fail();
  };
  for (let n = 0; n < 50; n += 1) expect(await pass.attemptInTurn(`ord_${n}`, work(`ord_${n}`, n > 2), "prj_a")).toBeNull();
  expect([tried, countPutOff(ctx.db, "expire_orders")]).toEqual([["ord_0", "ord_1", "ord_2"], 50]);
  expect(pass.unresolved()).toMatchObject({ message: "no" });
  expect(await pass.attemptInTurn("ord_50", work("ord_50", true), "prj_b")).toBe("done");
  expect(pass.unresolved()).toBeNull();
  const next = beginPass(ctx, kind);
  expect(next.due).toHaveLength(50);
  for (const name of next.due) await next.attempt(name, work(name, false));
  expect(tried).toHaveLength(7);
});

test("several tenants' failing rows end a pass together", async () => {
  const pass = beginPass(ctx, kind);
  for (let n = 0; n < 20; n += 1) await pass.attemptInTurn(`a_${n}`, fail, "prj_a");
  expect(await pass.attemptInTurn("b_0", fail, "prj_b")).toBeNull();
  await expect(pass.attemptInTurn("b_1", fail, "prj_b")).rejects.toThrow("no");
});

test("once a row has succeeded, any number of others are tried that fail", async () => {
  const pass = beginPass(ctx, kind);
  await pass.attemptInTurn("ord_0", succeed);
  for (let n = 1; n < 20; n += 1) expect(await pass.attemptInTurn(`ord_${n}`, fail)).toBeNull();
});

test("rows that are forgotten because too many fail end a pass as new ones do", async () => {
  const all = Array.from({ length: 2_005 }, (_none, n) => `ord_${n}`);
  const first = beginPass(ctx, kind);
  for (const name of all) await first.attempt(name, fail);
  expect(countPutOff(ctx.db, "expire_orders")).toBe(2_000);
  const pass = beginPass(ctx, kind);
  for (const name of all.slice(0, 4)) expect(await pass.attemptInTurn(name, fail)).toBeNull();
  await expect(pass.attemptInTurn("ord_4", fail)).rejects.toThrow("no");
});

test("a pass in which everything fails logs the first rows only", async () => {
  const pass = beginPass(ctx, kind);
  for (let n = 0; n < 100; n += 1) await pass.attempt(`ord_${n}`, fail);
  expect(logged).toHaveLength(21);
  expect(logged[0]).toMatchObject({ task: "expire_orders", kind: "order", row: "ord_0", err: { message: "no" } });
});
