import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { bareDebian } from "./bare-debian.ts";
import { Namespace } from "./namespace.ts";
import { quietly, repository } from "./shipped.ts";

const debian = "docker.io/library/debian:bookworm-slim";

/** A substitute for Docker's Node image: the Node that runs the tests and this machine's npm, in the places where that image has them. */
const nodeImage = `FROM ${debian}
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 ca-certificates
COPY etc /usr/local/etc
COPY certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`;

/** Podman's own files, whose paths may have 50 characters; its locks too are in memory. */
const runFolder = "/run/containers";
/** crun refuses a machine that has both kinds of control groups in use; without the newer kind it takes the older one. */
const prepare = `mkdir -p ${runFolder}; mount -t tmpfs tmpfs ${runFolder}; mount -t tmpfs tmpfs /dev/shm
umount /sys/fs/cgroup/unified 2>/dev/null || true`;

/**
 * Images and containers of one test, by Debian's buildah and podman: only packages are fetched, no daemon runs, and nothing is left behind.
 */
export class Images {
  readonly folder = mkdtempSync(join(tmpdir(), "tillpost-images-"));
  readonly #storage = [`--root=${this.folder}/storage`, `--runroot=${runFolder}/run`, "--storage-driver=overlay"];
  readonly #namespace: Namespace;

  private constructor(namespace: Namespace) {
    this.#namespace = namespace;
  }

  static async open(): Promise<Images> {
    requirePrograms("/usr/bin/buildah", "/usr/bin/podman", "/usr/bin/crun");
    return new Images(await Namespace.open(prepare));
  }

  /**
   * Makes substitutes for the two images that the Dockerfile builds on: the first one by debootstrap, from the same packages as Docker's.
   */
  makeBases(node: string): void {
    const bare = bareDebian();
    quietly("tar", ["-C", bare.path, "-cf", join(this.folder, "debian.tar"), "."]);
    bare.remove();
    this.podman("import", join(this.folder, "debian.tar"), debian);
    const context = join(this.folder, "node");
    mkdirSync(context);
    cpSync(process.execPath, join(context, "node"));
    cpSync(quietly("npm", ["root", "--global"]).trim().concat("/npm"), join(context, "npm"), { recursive: true });
    mkdirSync(join(context, "etc"));
    const npmrc = quietly("npm", ["config", "get", "globalconfig"]).trim();
    if (existsSync(npmrc)) cpSync(npmrc, join(context, "etc/npmrc"));
    cpSync("/etc/ssl/certs/ca-certificates.crt", join(context, "certificates.crt"));
    writeFileSync(join(context, "Dockerfile"), nodeImage);
    this.#build(["--tag", node, context]);
  }

  /** Builds the repository's own Dockerfile, as `docker build` would. */
  build(tag: string, ...given: string[]): void {
    this.#build(["--layers", "--tag", tag, "--file", join(repository, "deploy/Dockerfile"), ...given, repository]);
  }

  #build(given: string[]): void {
    const options = ["--isolation=chroot", "--format=docker", "--pull-never"];
    this.#namespace.run("buildah", [...this.#storage, "build", ...options, ...given], { BUILDAH_LAYERS: "true" });
  }

  /** Without systemd there is neither a journal for logs nor a timer for health checks. */
  podman(...given: string[]): string {
    const machine = ["--cgroup-manager=cgroupfs", "--runtime=/usr/bin/crun", "--events-backend=file", `--tmpdir=${runFolder}/tmp`];
    return this.#namespace.run("podman", [...this.#storage, ...machine, ...given], { DISABLE_HC_SYSTEMD: "true" });
  }

  /** An image's configuration, and its size with all its layers, unpacked. */
  inspect(tag: string): { Size: number; Config: Record<string, unknown>; Architecture: string } {
    return (JSON.parse(this.podman("image", "inspect", tag)) as [never])[0];
  }

  /** The kernel's view of the process of a container that was started with this: its state, and its network. */
  processOf(part: string): { status: string; network: string } {
    const read = (commands: string) => this.#namespace.run("/bin/sh", ["-ec", commands]);
    // In brackets, so that the search doesn't find itself. A process that ends in the meantime is fine.
    const [, , pid] = read(`grep --files-with-matches '[${part[0]}]${part.slice(1)}' /proc/[0-9]*/cmdline || true`).split("/");
    return { status: read(`cat /proc/${pid}/status`), network: read(`readlink /proc/${pid}/ns/net`) };
  }

  async remove(): Promise<void> {
    await this.#namespace.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
