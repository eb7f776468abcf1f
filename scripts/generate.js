// Generates src/gen from proto/, has the operations listed in docs/compatibility.md, and shows whether it is up to date: a stamp in it holds the hash of what it was made from.
// Plain JavaScript without dependencies: npm runs this as `prepare`, on whatever Node the machine has.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listTexts } from './list-texts.js';
import { root, runBuf, runQuietly, step } from './steps.js';

const target = join(root, 'src', 'gen');
const stamp = join(target, '.made-from');

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The hash of everything the generated code depends on: the contract, what is public and not served, the generator's settings and its version. */
export function hashOfInputs() {
  const hash = createHash('sha256');
  const settings = ['buf.yaml', 'buf.gen.yaml'].map((name) => join(root, name));
  for (const file of [...listFiles(join(root, 'proto')).filter((name) => /\.(proto|tsv)$/.test(name)), ...settings]) {
    hash
      .update(`${relative(root, file).split(sep).join('/')}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  hash.update(devDependencies['@bufbuild/protoc-gen-es']);
  for (const name of ['list-comments.js', 'list-routes.js', 'list-rows.js']) {
    hash.update(readFileSync(join(root, 'scripts', name)));
  }
  return hash.digest('hex');
}

/** True if src/gen is there and made from the contract as it is now. */
export function isUpToDate() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfInputs();
}

/** Takes the comments out of the contract. */
function writeComments(scratch, fresh) {
  const descriptors = join(scratch, 'contract.binpb');
  const built = runBuf(['build', '--as-file-descriptor-set', '--output', descriptors]);
  return built.ok ? runQuietly(process.execPath, [join(root, 'scripts', 'list-comments.js'), descriptors, fresh]) : built;
}

/** Makes src/gen anew, beside the old one until it is complete; returns { ok, output }. */
export function generate() {
  const made = hashOfInputs();
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  const scratch = mkdtempSync(join(root, 'node_modules', '.cache', 'generate-'));
  try {
    const generated = runBuf(['generate', '--output', scratch]);
    if (!generated.ok) {
      return generated;
    }
    const fresh = join(scratch, 'src', 'gen');
    const listed = runQuietly(process.execPath, [join(root, 'scripts', 'list-operations.js'), fresh]);
    if (!listed.ok) {
      return listed;
    }
    const routed = runQuietly(process.execPath, [join(root, 'scripts', 'list-routes.js'), fresh]);
    if (!routed.ok) {
      return routed;
    }
    const shaped = runQuietly(process.execPath, [join(root, 'scripts', 'list-rows.js'), fresh]);
    if (!shaped.ok) {
      return shaped;
    }
    const described = writeComments(scratch, fresh);
    if (!described.ok) {
      return described;
    }
    writeFileSync(join(fresh, '.made-from'), made);
    if (existsSync(target)) {
      renameSync(target, join(scratch, 'old'));
    }
    try {
      renameSync(fresh, target);
    } catch {
      // Another file system.
      cpSync(fresh, target, { recursive: true });
    }
    return { ok: true, output: '' };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  step('Generating code from the contract', generate);
  listTexts();
  step('Listing the operations in docs/compatibility.md', () =>
    runQuietly(process.execPath, [join(root, 'scripts', 'list-operations.js')]),
  );
  step('Listing the kinds of events in docs/events.md', () => runQuietly(process.execPath, [join(root, 'scripts', 'list-events.js')]));
  step('Listing who may do what in docs/authority.md', () => runQuietly(process.execPath, [join(root, 'scripts', 'list-authority.js')]));
}
