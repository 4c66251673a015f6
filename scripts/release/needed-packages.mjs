// Which packages run: what a workspace needs, and what these need, without what only development or a build needs.

/** The workspaces whose packages are installed for the whole program on every platform: the server, the dashboard's build, and Node. */
export const everyOwner = ["", "server", "web", "sdk"];

/** The lock file's entries that these workspaces need, by path. With a platform, those for other platforms are left out. */
export function neededPackages(packages, owners, platform = null) {
  const found = new Map();
  const queue = owners.map((owner) => [owner, packages[owner]]);
  for (const [owner, entry] of queue)
    for (const [name, isOptional] of neededBy(entry)) {
      const path = heldAt(packages, owner, name);
      if (path === null && !isOptional) throw new Error(`package-lock.json lacks ${name}, which ${owner || "the workspace"} needs.`);
      if (path === null || found.has(path) || packages[path].link === true || (isOptional && !fits(packages[path], platform))) continue;
      found.set(path, packages[path]);
      queue.push([path, packages[path]]);
    }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Names of a package's dependencies, and whether each is optional. npm installs peers, except for those that are marked optional. */
function neededBy({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return new Map([
    ...[...Object.keys(dependencies), ...peers].map((name) => [name, false]),
    ...Object.keys(optionalDependencies).map((name) => [name, true]),
  ]);
}

/** As npm decides: each list that an entry has must include the platform. */
function fits({ os, cpu, libc }, platform) {
  const names = (list, mine) => list === undefined || list.includes(mine);
  return platform === null || (names(os, platform.os) && names(cpu, platform.cpu) && names(libc, platform.libc));
}

/** A package's name and version, as the bill of materials refers to it. */
export function refOf([path, { name, version }]) {
  return `${name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`;
}

/** Where a dependency is found, as Node looks for it: next to its owner, then ever further up; null if it is missing. */
export function heldAt(packages, owner, name) {
  for (let folder = owner; ; folder = folder.includes("/node_modules/") ? folder.slice(0, folder.lastIndexOf("/node_modules/")) : "") {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return null;
  }
}
