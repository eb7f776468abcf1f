// Writes the list of operations into docs/compatibility.md: read from the generated code of the contract, so that it tells what is
// served and nothing else. A test holds the file to it. Run it after `npm run generate`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getOption } from '@bufbuild/protobuf';
import { root } from './steps.js';

const generated = join(root, 'src', 'gen');
/** The file that holds the list, and the marks between which it stands. */
export const page = join(root, 'docs', 'compatibility.md');
const [begin, end] = ['<!-- operations: made by scripts/list-operations.js -->', '<!-- operations: end -->'];

async function listMethods() {
  const load = (name) => import(pathToFileURL(join(generated, name)).href);
  const { http } = await load('google/api/annotations_pb.js');
  const { permission } = await load('countersign/options_pb.js');
  const names = readdirSync(generated, { recursive: true }).filter((name) => name.endsWith('_pb.js'));
  const modules = await Promise.all(names.map(load));
  const services = modules.flatMap((module) => Object.values(module)).filter((value) => value?.kind === 'service');
  return services.flatMap((service) =>
    service.methods.map((method) => {
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

function table(methods) {
  const inOrder = [...methods].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.verb < b.verb ? -1 : 1));
  const rows = inOrder.map(({ verb, path, name, permission }) => `| \`${verb} ${path}\` | ${name} | \`${permission}\` |`);
  return ['| Operation | Method | Permission |', '|---|---|---|', ...rows].join('\n');
}

/** The text of the page with the list as it should be; everything outside the marks stays as it is. */
export async function renderPage(text) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`docs/compatibility.md has lost its marks: ${begin} and ${end}`);
  }
  const methods = await listMethods();
  const [shared, ours] = [methods.filter(({ isPublic }) => isPublic), methods.filter(({ isPublic }) => !isPublic)];
  const list = [
    begin,
    `## Operations of the public API: ${shared.length}`,
    table(shared),
    `## Operations of Countersign alone: ${ours.length}`,
    'The public API publishes none for these purposes. Their messages are in `proto/countersign/`.',
    table(ours),
  ].join('\n\n');
  return `${text.slice(0, from)}${list}\n\n${text.slice(to)}`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(page, await renderPage(readFileSync(page, 'utf8')));
}
