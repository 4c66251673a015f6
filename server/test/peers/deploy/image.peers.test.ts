import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { DebianServer } from "#test/support/debian/debian-postgres.ts";
import { Images } from "#test/support/deploy/image.ts";
import { deployed } from "#test/support/deploy/shipped.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { poster } from "#test/support/pictures/pictures.ts";
import { eventually } from "#test/support/time/eventually.ts";

/** The largest image without a database, in bytes. */
const largest = 250_000_000;
const [, node = ""] = /^ARG NODE_IMAGE=(.+)$/m.exec(deployed("Dockerfile")) ?? [];
let images: Images;
let server: DebianServer;

/** As compose.yaml and the manifests run it. */
const confined = ["--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--tmpfs=/tmp:mode=1777", "--network=host"];
/** No control groups that would remain, and limits that a process may set without rights over its machine. */
const plain = ["--log-driver=k8s-file", "--cgroups=disabled", "--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"];
const settings = (more: Record<string, string>) =>
  Object.entries({ HOST: "127.0.0.1", WORKER_HOST: "127.0.0.1", ...more }).map(([name, value]) => `--env=${name}=${value}`);

beforeAll(async () => {
  images = await Images.open();
  server = new DebianServer(await freePort());
  await server.init();
  await server.start();
  images.makeBases(node);
  images.build("tillpost");
}, 3_600_000);
afterAll(async () => {
  await images?.remove();
  await server?.remove();
});

/** Starts a container, waits until it is ready, and returns its URL. `variable` is the setting for its port. */
async function start(name: string, given: string[], variable = "PORT"): Promise<{ url: string; log(): string }> {
  const port = await freePort();
  images.podman(
    "run",
    "--detach",
    `--name=${name}`,
    ...plain,
    ...confined,
    `--volume=${name}:/var/lib/tillpost`,
    ...settings({ [variable]: String(port) }),
    ...given,
  );
  const log = () => images.podman("logs", name);
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    () => `${name} is ready:\n${log()}`,
    async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
    { everyMs: 100 },
  );
  return { url, log };
}

/** Stops it as a runtime does, and returns its exit code. */
function stop(name: string): number {
  images.podman("stop", "--time=60", name);
  return Number(images.podman("container", "inspect", "--format={{.State.ExitCode}}", name));
}

describe("the image", () => {
  it("has at most 250 MB without a database, no root user, and no shell tools except what confines pictures", () => {
    const { Size, Config } = images.inspect("tillpost");
    console.log(`The image without a database takes ${(Size / 1e6).toFixed(1)} MB.`);
    expect(Size).toBeLessThanOrEqual(largest);
    expect(Config).toMatchObject({
      User: "10001:10001",
      Entrypoint: ["/opt/tillpost/bin/tillpost"],
      Cmd: ["serve"],
      StopSignal: "SIGTERM",
    });
    const run = (...command: string[]) =>
      images.podman("run", "--rm", ...plain, ...confined, "--entrypoint=/bin/sh", "tillpost", "-c", ...command);
    expect(run("echo /usr/bin/*").trim().split(" ").sort()).toEqual([
      "/usr/bin/dash",
      "/usr/bin/setpriv",
      "/usr/bin/sh",
      "/usr/bin/unshare",
    ]);
    expect(run("echo /opt/tillpost/*").trim().split(" ")).toEqual(
      ["bin", "node", "node_modules", "sbom", "scripts", "server", "web", "LICENSE"].map((name) => `/opt/tillpost/${name}`).sort(),
    );
  });

  it("migrates, serves with its dashboard on a read-only root file system, is healthy, and ends in order as process 1", {
    timeout: 300_000,
  }, async () => {
    const own = settings({ DATABASE_URL: server.url, MASTER_KEYS: testMasterKeys });
    expect(images.podman("run", "--rm", ...plain, ...confined, ...own, "tillpost", "migrate")).toContain("Applied 0001");
    const { url, log } = await start("one", [...own, "tillpost", "serve"]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${url}/dashboard`)).text()).toContain("<script");
    expect((await fetch(`${url}/reference`)).status).toBe(200);
    images.podman("healthcheck", "run", "one");
    expect(images.podman("exec", "one", "tillpost", "doctor")).toContain("database");
    expect(
      images.podman(
        "exec",
        "one",
        "/bin/sh",
        "-c",
        "read -r name < /proc/1/comm; echo $name; for f in /opt/tillpost/x /etc/x; do ( : > $f ) 2>/dev/null && echo written; done; true",
      ),
    ).not.toContain("written");
    expect(images.processOf("main.ts").status).toMatch(
      /^Uid:\s+10001\s+10001[\s\S]*^NSpid:.*\s1$[\s\S]*^CapEff:\s+0+$[\s\S]*^NoNewPrivs:\s+1$/m,
    );
    expect(stop("one")).toBe(0);
    expect(log()).toContain("stopped; everything is saved");
  });

  it("speaks the texts of calls if it was built with the voice", { timeout: 900_000 }, () => {
    images.build("tillpost:with-speech", "--build-arg=SPEECH=espeak-ng");
    console.log(`The image with espeak-ng takes ${(images.inspect("tillpost:with-speech").Size / 1e6).toFixed(1)} MB.`);
    const speak = `require("node:child_process").spawnSync("espeak-ng", ["-v", "cmn", "--stdin", "--stdout"], { input: "你好" }).stdout.length`;
    const node = ["--entrypoint=/opt/tillpost/bin/node", "tillpost:with-speech", "--print", speak];
    expect(Number(images.podman("run", "--rm", ...plain, ...confined, ...node))).toBeGreaterThan(10_000);
  });

  it("as a worker listens, and is health-checked, on another port", { timeout: 300_000 }, async () => {
    const { url } = await start(
      "worker",
      [...settings({ DATABASE_URL: server.url, MASTER_KEYS: testMasterKeys }), "tillpost", "worker"],
      "WORKER_PORT",
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    images.podman("healthcheck", "run", "worker");
    expect(() =>
      images.podman("exec", "--env=WORKER_PORT=1", "worker", "/opt/tillpost/bin/node", "/opt/tillpost/scripts/healthcheck.mjs"),
    ).toThrow();
    expect(stop("worker")).toBe(0);
  });

  it("with its database runs alone on a volume, decodes pictures in a process without a network, and finds everything there after it was replaced", {
    timeout: 900_000,
  }, async () => {
    images.build("tillpost:with-database", "--target=with-database");
    console.log(`The image with the embedded database takes ${(images.inspect("tillpost:with-database").Size / 1e6).toFixed(1)} MB.`);
    const first = await start("two", ["tillpost:with-database"]);
    const demo = images.podman("exec", "two", "/opt/tillpost/bin/node", "--print", 'require("node:fs").readFileSync("demo.json", "utf8")');
    const { project_id, api_key } = JSON.parse(demo) as { project_id: string; api_key: string };
    const body = new FormData();
    body.set("purpose", "collection_qr");
    body.set("file", new Blob([new Uint8Array(await poster(wechatCode))], { type: "image/jpeg" }), "code.jpg");
    const headers = { authorization: `Bearer ${api_key}` };
    const uploaded = await fetch(`${first.url}/api/v1/projects/${project_id}/assets/upload`, { method: "POST", headers, body });
    expect(uploaded.status, await uploaded.text()).toBe(201);
    expect(images.processOf("picture-child.ts").network).not.toBe(images.processOf("main.ts").network);
    expect(stop("two")).toBe(0);
    images.podman("rm", "two");
    const again = await start("two", ["tillpost:with-database"]);
    const listed = await fetch(`${again.url}/api/v1/projects/${project_id}/orders`, { headers });
    expect(listed.status).toBe(200);
    expect(stop("two")).toBe(0);
  });
});
