import { describe, expect, it } from "vitest";
import { listSetAsideJobs, releaseJobs } from "#platform/index.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { drain, type QueueHand, type QueueUnderTest, releaseAll, worlds } from "./queue-hand.ts";
import { listDeaths } from "./queues.sql.ts";

/** What every queue must do, whichever room's table it is. Needs its own app, because it moves the clock. */
export function queueContract(given: QueueUnderTest): void {
  describe("as every queue", () => {
    sharing(given);
    leases(given);
    if (given.worker().extend !== undefined) extensions(given);
    deaths(given);
    spreads(given);
    largeQueues(given);
    setAside(given);
    outages(given);
  });
}

function sharing({ add, worker }: QueueUnderTest): void {
  it("gives a job to one of twelve concurrent workers", async () => {
    const jobs = await add(24);
    const claimed: string[] = [];
    const work = async (hand: QueueHand) => {
      for (let held = await hand.claim(3); held.length > 0; held = await hand.claim(3)) {
        claimed.push(...held);
        expect(await hand.end(held)).toBe(held.length);
      }
    };
    await Promise.all(Array.from({ length: 12 }, () => work(worker())));
    await work(worker());
    expect(claimed.sort()).toEqual([...jobs].sort());
  });

  it("gives the oldest first", async () => {
    const jobs = await add(9);
    const hand = worker();
    expect((await hand.claim(3)).sort()).toEqual(jobs.slice(0, 3).sort());
    await hand.end(jobs);
    await drain(hand);
  });
}

function leases(given: QueueUnderTest): void {
  const { app, add, worker, sweep, leaseMs } = given;

  it("gives a job whose lease has lapsed to another worker, and the first one changes nothing any more", async () => {
    const jobs = await add(3);
    const [first, second] = [worker(), worker()];
    expect(await first.claim(10)).toHaveLength(3);
    app.clock.advance(leaseMs - 1_000);
    expect(await sweep()).toBe(0);
    expect(await second.claim(10)).toEqual([]);
    app.clock.advance(2_000);
    expect(await sweep()).toBeGreaterThan(0);
    expect((await second.claim(10)).sort()).toEqual([...jobs].sort());
    expect(await first.end(jobs)).toBe(0);
    await first.release(jobs);
    expect(await worker().claim(10)).toEqual([]);
    expect(await second.end(jobs)).toBe(3);
    expect(await worker().claim(10)).toEqual([]);
  });

  it("gives a job that was returned to the next worker immediately, and doesn't count it as a death", async () => {
    const jobs = await add(2);
    for (let again = 0; again < 5; again += 1) {
      const hand = worker();
      expect(await hand.claim(10)).toHaveLength(2);
      await hand.release(jobs);
    }
    expect(await listDeaths(app.ctx.db, given.queue)).toEqual([]);
    const hand = worker();
    expect(await hand.claim(10)).toHaveLength(2);
    expect(await hand.end(jobs)).toBe(2);
  });
}

function extensions(given: QueueUnderTest): void {
  const { app, add, worker, sweep, leaseMs } = given;

  it("keeps an extended lease, and informs its worker when it is lost", async () => {
    const jobs = await add(2);
    const hand = worker();
    await hand.claim(10);
    for (let again = 0; again < 3; again += 1) {
      app.clock.advance(leaseMs / 2);
      expect(await sweep()).toBe(0);
      expect((await hand.extend?.(jobs))?.sort()).toEqual([...jobs].sort());
    }
    app.clock.advance(leaseMs + 1_000);
    await sweep();
    expect(await hand.extend?.(jobs)).toEqual([]);
    const second = worker();
    await second.claim(10);
    expect(await hand.extend?.(jobs)).toEqual([]);
    await second.end(jobs);
  });
}

function deaths(given: QueueUnderTest): void {
  const { app, queue, add, worker } = given;
  const { quiet, expireLease } = worlds(given);

  it("forgets a worker's death once the job has ended well or was tried", async () => {
    quiet();
    const [job] = await add(1);
    await worker().claim(1);
    await expireLease();
    expect(await listDeaths(app.ctx.db, queue)).toEqual([{ job, deaths: 1, state: "due" }]);
    const hand = worker();
    await hand.claim(1);
    expect(await hand.end([job as string])).toBe(1);
    expect((await listDeaths(app.ctx.db, queue)).filter(({ state }) => state === "due" || state === "leased")).toEqual([]);
  });

  it("sets aside a job that two workers died with, if they had no other job in common", async () => {
    quiet();
    const [poison] = await add(1);
    await worker().claim(1);
    await expireLease();
    const others = await add(12);
    expect(await worker().claim(13)).toContain(poison);
    await expireLease();
    expect((await listSetAsideJobs(app.ctx, queue)).map(({ job }) => job)).toEqual([poison]);
    const hand = worker();
    expect((await hand.claim(100)).sort()).toEqual([...others].sort());
    await hand.end(others);
    await releaseAll(given);
  });
}

function spreads(given: QueueUnderTest): void {
  const { app, queue, add, worker } = given;
  const { quiet, expireLease } = worlds(given);

  it("blames no job before everything that its worker held has lapsed", async () => {
    quiet();
    await add(2);
    expect(await worker().claim(2)).toHaveLength(2);
    await expireLease();
    const second = worker();
    expect(await second.claim(1)).toHaveLength(1);
    app.clock.advance(10_000);
    expect(await second.claim(2)).toHaveLength(1);
    app.clock.advance(given.leaseMs - 9_000);
    expect(await given.sweep()).toBe(0);
    await expireLease();
    expect(await listSetAsideJobs(app.ctx, queue)).toEqual([]);
    expect((await listDeaths(app.ctx.db, queue)).filter(({ state }) => state === "due").map(({ deaths }) => deaths)).toEqual([2, 2]);
    await drain(worker());
  });
}

function largeQueues(given: QueueUnderTest): void {
  const { app, queue, add, worker, jobCount = 40, kills = 6 } = given;
  const { quiet, expireLease } = worlds(given);
  const portion = Math.ceil(jobCount / 8);

  it("finds the one that kills its workers in a crowd, whose others all complete", async () => {
    quiet();
    const jobs = await add(jobCount);
    const poison = jobs[Math.floor(jobCount / 3)] as string;
    let [killed, ended] = [0, 0];
    const setAside = async () => (await listSetAsideJobs(app.ctx, queue)).map(({ job }) => job);
    // The others may all have ended before it has killed often enough.
    for (let rounds = 0; (ended < jobCount - 1 || (await setAside()).length === 0) && rounds < 200; rounds += 1) {
      const hand = worker();
      const alone = await hand.claim(1, true);
      const held = [...alone, ...(await hand.claim(portion))];
      if (held.includes(poison)) killed += 1;
      else ended += await hand.end(held);
      if (held.includes(poison) || held.length === 0) await expireLease();
    }
    expect(ended).toBe(jobCount - 1);
    expect(killed).toBeLessThanOrEqual(3);
    expect(await setAside()).toEqual([poison]);
    await releaseAll(given);
  });

  it("sets no job aside because workers are killed one after the other, whatever they hold", async () => {
    quiet();
    const hand = worker();
    for (let kill = 0; kill < kills; kill += 1) {
      await add(4);
      await worker().claim(3);
      app.clock.advance(given.leaseMs + 1_000);
      await given.sweep();
      // From the third on, a worker also holds one of them at the next kill.
      await drain(hand, kill < 2 ? undefined : 3);
    }
    await expireLease();
    await drain(hand);
    expect(await listSetAsideJobs(app.ctx, queue)).toEqual([]);
    expect((await listDeaths(app.ctx.db, queue)).filter(({ state }) => state === "due" || state === "leased")).toEqual([]);
  });
}

function setAside(given: QueueUnderTest): void {
  const { app, queue, add, worker } = given;
  const { quiet, expireLease } = worlds(given);

  it("notifies the operators of a job that is set aside, and gives it to a worker again once they release it", async () => {
    quiet();
    const notices = (await listNotices(app.ctx.db, "job_set_aside")).length;
    const [poison, other] = await add(2);
    for (let death = 0; death < 3; death += 1) {
      const hand = worker();
      const held = [...(await hand.claim(1, true)), ...(await hand.claim(10))];
      if (death === 0) await hand.end([other as string]);
      expect(held.length).toBeGreaterThan(death < 2 ? 0 : -1);
      await expireLease();
    }
    expect(await listSetAsideJobs(app.ctx, queue)).toMatchObject([{ job: poison, deaths: 2 }]);
    expect(await listNotices(app.ctx.db, "job_set_aside")).toHaveLength(notices + 1);
    expect([...(await worker().claim(10, true)), ...(await worker().claim(10))]).toEqual([]);
    expect(await releaseJobs(app.ctx, queue, ["another"])).toBe(0);
    expect(await releaseJobs(app.ctx, queue, [poison as string])).toBe(1);
    expect(await listSetAsideJobs(app.ctx, queue)).toEqual([]);
    const hand = worker();
    expect(await hand.claim(10)).toEqual([poison]);
    expect(await hand.end([poison as string])).toBe(1);
  });
}

function outages(given: QueueUnderTest): void {
  const { app, queue, add, worker, sweep } = given;
  const { quiet, expireLease } = worlds(given);

  it("counts no death for jobs whose leases lapse with those of other workers, as after a database was unavailable", async () => {
    quiet();
    const jobs = await add(6);
    for (let outage = 0; outage < 3; outage += 1) {
      expect(await worker().claim(2)).toHaveLength(2);
      expect(await worker().claim(4)).not.toEqual([]);
      await expireLease();
    }
    expect(await listDeaths(app.ctx.db, queue)).toEqual([]);
    const hand = worker();
    expect(await hand.claim(10)).toHaveLength(6);
    await hand.end(jobs);
  });

  // Runs last: this process remembers for a while that the database was unavailable.
  it("counts no death for what lapses while the database is unavailable to this process", async () => {
    quiet();
    const [job] = await add(1);
    const away = async () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" }));
    for (let outage = 0; outage < 3; outage += 1) {
      await worker().claim(1);
      await expect(given.sweepBy({ ...app.ctx, transact: away })).rejects.toThrow("no");
      app.clock.advance(given.leaseMs + 1_000);
      expect(await sweep()).toBe(1);
    }
    expect(await listDeaths(app.ctx.db, queue)).toEqual([]);
    const hand = worker();
    await hand.claim(1);
    expect(await hand.end([job as string])).toBe(1);
  });
}
