// Writes the list of operations into docs/compatibility.md: which are served is read from the generated code of the contract, which the
// public API has from proto/public-operations.tsv, why one is not served from proto/not-served.tsv, which refuse every request from
// proto/refusing.tsv, and what the public document has beyond from proto/elsewhere.tsv. A test holds the page to them.
// With a folder of generated code it adds the operations that are not served to it instead, for the server to name them.
// `npm run generate` runs both.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getOption } from '@bufbuild/protobuf';
import { root } from './steps.js';

const generated = join(root, 'src', 'gen');
/** The file that holds the list, and the marks between which it stands. */
export const page = join(root, 'docs', 'compatibility.md');
const [begin, end] = ['<!-- operations: made by scripts/list-operations.js -->', '<!-- operations: end -->'];

async function listMethods(folder = generated) {
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const { http } = await load('google/api/annotations_pb.js');
  const { permission } = await load('countersign/options_pb.js');
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('_pb.js'));
  const modules = await Promise.all(names.map(load));
  const services = modules.flatMap((module) => Object.values(module)).filter((value) => value?.kind === 'service');
  // What has no route is no operation: connectors call it over gRPC.
  const routed = (method) => getOption(method, http)?.pattern?.case !== undefined;
  return services.flatMap((service) =>
    service.methods.filter(routed).map((method) => {
      const { pattern } = getOption(method, http);
      return {
        isPublic: service.typeName.startsWith('c1.'),
        verb: pattern.case.toUpperCase(),
        path: pattern.value,
        name: `${service.name}.${method.name}`,
        permission: getOption(method, permission),
      };
    }),
  );
}

const byPath = (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.verb < b.verb ? -1 : 1);

function table(titles, rows) {
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The rows of a file in proto/ as arrays of cells, without its titles. */
function readRows(name) {
  return readFileSync(join(root, 'proto', name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}

/** Explains a wrong or missing reason `key` of an operation, and what to write instead. */
function wrongReason(tag, operation, key) {
  if (key === undefined) {
    return `is not served and proto/not-served.tsv does not say why: add the line "${tag}<tab>${operation}<tab>reason"`;
  }
  return key.endsWith(': *')
    ? `is served now: in proto/not-served.tsv, put a line for each operation of ${tag} that is still not served in place of "${tag}<tab>*"`
    : `is served now: take its line out of proto/not-served.tsv`;
}

/**
 * All operations of the public API, and why those that are not served are not. Throws where one has neither a method nor a reason, or
 * both, or where a reason is for nothing.
 */
export async function listPublicOperations(folder = generated) {
  const methods = (await listMethods(folder)).filter(({ isPublic }) => isPublic);
  const served = new Map(methods.map((method) => [`${method.verb} ${method.path}`, method]));
  const reasons = new Map(readRows('not-served.tsv').map(([tag, operation, reason]) => [`${tag}: ${operation}`, reason]));
  const used = new Set();
  const listed = readRows('public-operations.tsv').map(([tag, operation, verb, path]) => {
    const method = served.get(`${verb} ${path}`);
    const key = [`${tag}: ${operation}`, `${tag}: *`].find((one) => reasons.has(one));
    if ((method === undefined) === (key === undefined)) {
      throw new Error(`${tag}: ${operation} (${verb} ${path}) ${wrongReason(tag, operation, key)}`);
    }
    used.add(key);
    return { verb, path, name: method?.name ?? `${tag}: ${operation}`, permission: method?.permission, reason: reasons.get(key) };
  });
  const idle = [...reasons.keys()].filter((key) => !used.has(key));
  if (idle.length > 0) {
    throw new Error(`proto/not-served.tsv gives reasons for what is not public, or served: take out ${idle.join(', ')}`);
  }
  const known = new Set(listed.map(({ verb, path }) => `${verb} ${path}`));
  const strange = [...served.keys()].filter((operation) => !known.has(operation));
  if (strange.length > 0) {
    throw new Error(
      `proto/public-operations.tsv, the list of the public API, has no ${strange.join(', ')}: an operation of our own belongs in proto/countersign/v1`,
    );
  }
  return listed;
}

/** The operations of the public document that have nothing to do with access reviews. Throws where one of them is served. */
export async function listElsewhere(folder = generated) {
  const served = new Set((await listMethods(folder)).map(({ verb, path }) => `${verb} ${path.replace(/\{[a-z0-9_]+\}/g, '{}')}`));
  const rows = readRows('elsewhere.tsv').map(([operation, verb, path]) => ({ verb, path, name: operation.split('.').slice(-2).join('.') }));
  const ours = rows.filter(({ verb, path }) => served.has(`${verb} ${path.replace(/\{[a-z0-9_]+\}/g, '{}')}`));
  if (ours.length > 0) {
    throw new Error(`served now: take out of proto/elsewhere.tsv ${ours.map(({ name }) => name).join(', ')}`);
  }
  return rows;
}

/** The served operations that refuse every request, and why. Throws where one of them is not served. */
async function listRefusing() {
  const served = new Map((await listPublicOperations()).map((one) => [one.name, one]));
  return readRows('refusing.tsv').map(([name, why]) => {
    const { verb, path, reason } = served.get(name) ?? {};
    if (verb === undefined || reason !== undefined) {
      throw new Error(`proto/refusing.tsv names ${name}, which is not served`);
    }
    return { verb, path, name, why };
  });
}

/** The text of the page with the list as it should be; everything outside the marks stays as it is. */
export async function renderPage(text) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`docs/compatibility.md has lost its marks: ${begin} and ${end}`);
  }
  const listed = await listPublicOperations();
  const ours = (await listMethods()).filter(({ isPublic }) => !isPublic);
  const [served, unserved] = [listed.filter(({ reason }) => reason === undefined), listed.filter(({ reason }) => reason !== undefined)];
  const withPermission = (methods) =>
    table(
      ['Operation', 'Method', 'Permission'],
      [...methods].sort(byPath).map(({ verb, path, name, permission }) => [`\`${verb} ${path}\``, name, `\`${permission}\``]),
    );
  const withReason = table(
    ['Operation', 'Name', 'Why not'],
    [...unserved].sort(byPath).map(({ verb, path, name, reason }) => [`\`${verb} ${path}\``, name, reason]),
  );
  const areas = new Map();
  for (const { name, reason } of unserved) {
    const key = `${name.split(': ', 1)[0]} | ${reason}`;
    areas.set(key, (areas.get(key) ?? 0) + 1);
  }
  const byArea = table(
    ['Area', 'Why not', 'Operations'],
    [...areas].sort().map(([key, count]) => [...key.split(' | '), count]),
  );
  const refusing = await listRefusing();
  const elsewhere = await listElsewhere();
  const list = [
    begin,
    `The public API has ${listed.length} operations here: ${served.length} are served and ${unserved.length} are not. Of the served ones, ${refusing.length} refuse every request. The public document has ${elsewhere.length} more operations, which have nothing to do with access reviews. Each of them answers 501 with its name (\`proto/elsewhere.tsv\`).`,
    `## Operations that are served and refuse every request: ${refusing.length}`,
    table(
      ['Method', 'Operation', 'Why'],
      [...refusing].sort(byPath).map(({ verb, path, name, why }) => [name, `\`${verb} ${path}\``, why]),
    ),
    `## Operations of the public API that are served: ${served.length}`,
    withPermission(served),
    `## Operations of the public API that are not served: ${unserved.length}`,
    byArea,
    'One by one:',
    withReason,
    `## Operations of Countersign alone: ${ours.length}`,
    'The public API publishes none for these purposes. Their messages are in `proto/countersign/`.',
    withPermission(ours),
  ].join('\n\n');
  return `${text.slice(0, from)}${list}\n\n${text.slice(to)}`;
}

/** Writes the operations that are not served into a folder of generated code, as a module that the server reads. */
async function writeUnserved(folder) {
  const unserved = (await listPublicOperations(folder)).filter(({ reason }) => reason !== undefined);
  const elsewhere = (await listElsewhere(folder)).map((one) => ({ ...one, reason: 'it has nothing to do with access reviews' }));
  const rows = [...unserved, ...elsewhere].map(({ verb, path, name, reason }) => ({ verb, template: path, name, reason }));
  writeFileSync(join(folder, 'unserved_operations.js'), `export const unservedOperations = ${JSON.stringify(rows, undefined, 1)};\n`);
  writeFileSync(
    join(folder, 'unserved_operations.d.ts'),
    'export declare const unservedOperations: readonly { readonly verb: string; readonly template: string; readonly name: string; readonly reason: string }[];\n',
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  if (folder === undefined) {
    writeFileSync(page, await renderPage(readFileSync(page, 'utf8')));
  } else {
    await writeUnserved(folder);
  }
}
