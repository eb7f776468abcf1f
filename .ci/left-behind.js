// Compares a machine before and after a run of the gate: processes, listening sockets, shared memory, and folders outside of the temporary one.
// Plain JavaScript, for whatever Node the machine has; it reads /proc, so it says nothing where there is none.
//
//   node .ci/left-behind.js look FILE                  writes what is there
//   node .ci/left-behind.js compare FILE FOLDER...     prints what is there now and was not, by name; exits with 1 where there is anything.
//                                                      Processes count where they work in one of the folders, or were started in a run of it
//   node .ci/left-behind.js end FOLDER...              ends the processes of these folders
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const graceMs = 10_000;

/** What was read; '' where it is gone, or somebody else's. */
function attempt(read) {
  try {
    return read();
  } catch {
    return '';
  }
}

/** All processes, with what tells whose they are, but for this one and those above it. */
function listProcesses() {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      const of = (name) => attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
      const [, parent, startedAt] = /\) \S (\d+)(?: \S+){17} (\d+)/.exec(of('stat')) ?? [];
      const [exe, cwd] = ['exe', 'cwd'].map((name) => attempt(() => readlinkSync(`/proc/${pid}/${name}`)));
      const args = of('cmdline').replaceAll('\0', ' ').trim();
      return { pid, parent, args, key: `${pid} ${startedAt}`, places: [exe, cwd, args, of('environ')].join('\n') };
    })
    // Without arguments: ended already, or a part of the kernel.
    .filter(({ args }) => args !== '');
  const mine = new Set();
  for (let pid = String(process.pid); pid !== undefined && !mine.has(pid); pid = all.find((one) => one.pid === pid)?.parent) {
    mine.add(pid);
  }
  return all.filter(({ pid, parent }) => !mine.has(pid) && parent !== String(process.pid));
}

/** Listening sockets, by address or path, with the number that processes know them by. */
function listSockets() {
  const rows = (name) =>
    attempt(() => readFileSync(`/proc/net/${name}`, 'utf8'))
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
  const tcp = ['tcp', 'tcp6'].flatMap((name) =>
    rows(name)
      .filter(([, , , state]) => state === '0A')
      .map(([, address, , , , , , , , inode]) => ({ inode, name: `port ${Number.parseInt(address.split(':')[1], 16)} (${name})` })),
  );
  const unix = rows('unix')
    .filter(([, , , flags, , , , path]) => flags === '00010000' && path !== undefined)
    .map(([, , , , , , inode, path]) => ({ inode, name: path }));
  return [...tcp, ...unix];
}

/** Sockets by number, of these processes. */
function socketsOf({ pid }) {
  const links = attempt(() => readdirSync(`/proc/${pid}/fd`)) || [];
  return links.map((fd) => /^socket:\[(\d+)\]$/.exec(attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)))?.[1]);
}

const names = (folder) => (attempt(() => readdirSync(folder)) || []).map((name) => join(folder, name));

function listMemory() {
  const segments = attempt(() => readFileSync('/proc/sysvipc/shm', 'utf8'))
    .split('\n')
    .slice(1);
  return [
    ...names('/dev/shm'),
    ...segments
      .map((line) => line.trim().split(/\s+/)[1])
      .filter(Boolean)
      .map((id) => `shared memory ${id}`),
  ];
}

/** Folders where programs leave things. Beside the top of the disk and our own folder, names count that our programs give: others work here, too. */
function listFolders() {
  const home = homedir();
  const shared = ['/tmp', '/var/tmp', '/var/lib', '/home', home, join(home, '.config'), join(home, '.local/share')];
  const ours = /countersign|cst-|cs-|pgsql|postgres|chrom|playwright|pki/i;
  return [...['/', '/var/lib/countersign'].flatMap(names), ...shared.flatMap(names).filter((name) => ours.test(name))];
}

/** What git knows nothing of, where this is a clone. */
const listUntracked = () =>
  attempt(() => execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `in the clone: ${line.trim()}`);

const look = () => ({
  processes: listProcesses().map(({ key }) => key),
  sockets: listSockets().map(({ name }) => name),
  memory: listMemory(),
  folders: [...listFolders(), ...listUntracked()],
});

const belongsTo = (folders) => (one) => folders.some((folder) => one.places.includes(folder));

/** What is there and was not before, in words. */
function compare(before, folders) {
  const processes = listProcesses().filter(({ key }) => !before.processes.includes(key));
  const owned = new Map(processes.flatMap((one) => socketsOf(one).map((inode) => [inode, one])));
  const without = (all, known) => all.filter((name) => !known.includes(name));
  return [
    ...processes.filter(belongsTo(folders)).map(({ pid, args }) => `process ${pid}: ${args.slice(0, 160)}`),
    ...listSockets()
      .filter(({ name, inode }) => !before.sockets.includes(name) && owned.has(inode))
      .map(({ name, inode }) => `socket ${name}: process ${owned.get(inode).pid}`),
    ...without(listMemory(), before.memory),
    ...without([...listFolders(), ...listUntracked()], before.folders),
  ];
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

async function endAll(folders) {
  const all = () => listProcesses().filter(belongsTo(folders));
  // PostgreSQL ends at once by SIGQUIT, and its own children with it.
  for (const [signal, waitMs] of [
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ]) {
    for (const { pid } of all()) {
      attempt(() => process.kill(Number(pid), signal));
    }
    for (const until = Date.now() + waitMs; all().length > 0 && Date.now() < until; ) {
      await pause();
    }
  }
}

const [what, file = '', ...folders] = process.argv.slice(2);
if (!existsSync('/proc/self/stat')) {
  console.log('left behind: no /proc here, so nothing is compared');
} else if (what === 'look') {
  writeFileSync(file, JSON.stringify(look()));
} else if (what === 'end') {
  await endAll([file, ...folders]);
} else if (what === 'compare') {
  const before = JSON.parse(readFileSync(file, 'utf8'));
  let found = compare(before, folders);
  // What is told to end may take a moment.
  for (const until = Date.now() + graceMs; found.length > 0 && Date.now() < until; found = compare(before, folders)) {
    await pause();
  }
  console.log(found.map((one) => `left behind: ${one}`).join('\n') || 'nothing is left behind');
  process.exitCode = found.length > 0 ? 1 : 0;
} else {
  console.error('usage: node .ci/left-behind.js look FILE | compare FILE FOLDER... | end FOLDER...');
  process.exitCode = 2;
}
