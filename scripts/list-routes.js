// Writes the routes of all operations to a folder of generated code, for programs that speak JSON without descriptors, as the console does:
// `routes` maps "Service.Method" to verb and path, and the type `Operations` maps it to the JSON of its request and reply.
// `npm run generate` runs this.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getOption } from '@bufbuild/protobuf';

const [folder] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const { http } = await load('google/api/annotations_pb.js');
const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('_pb.js'));
const modules = await Promise.all(names.map(load));
const services = modules.flatMap((module) => Object.values(module)).filter((value) => value?.kind === 'service');

/** Returns the name of a message's JSON type, and the module that declares it. */
function typeOf(message) {
  const ofGoogle = message.typeName.startsWith('google.protobuf.');
  const own = message.typeName.slice(message.file.proto.package.length + 1).replaceAll('.', '_');
  return { name: `${own}Json`, from: ofGoogle ? '@bufbuild/protobuf/wkt' : `./${message.file.name}_pb.js` };
}

const routes = {};
const imports = new Map();
const members = [];
const aliases = new Map();

/** The local name of a type: two packages may use the same one. */
function use(message) {
  const { name, from } = typeOf(message);
  const key = `${from} ${name}`;
  if (!aliases.has(key)) {
    const taken = [...aliases.values()].filter((alias) => alias === name || alias.startsWith(`${name}_`)).length;
    aliases.set(key, taken === 0 ? name : `${name}_${taken + 1}`);
    const alias = aliases.get(key);
    imports.set(from, [...(imports.get(from) ?? []), alias === name ? name : `${name} as ${alias}`]);
  }
  return aliases.get(key);
}

for (const service of services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1))) {
  for (const method of service.methods) {
    const { pattern } = getOption(method, http) ?? {};
    if (pattern?.case === undefined) {
      continue;
    }
    const name = `${service.name}.${method.name}`;
    if (routes[name] !== undefined) {
      throw new Error(`Two operations are called ${name}: rename a service of ours.`);
    }
    routes[name] = `${pattern.case.toUpperCase()} ${pattern.value}`;
    members.push(`  '${name}': { request: ${use(method.input)}; reply: ${use(method.output)} };`);
  }
}

writeFileSync(join(folder, 'routes.js'), `export const routes = ${JSON.stringify(routes, null, 1)};\n`);
writeFileSync(
  join(folder, 'routes.d.ts'),
  [
    ...[...imports].map(([from, list]) => `import type { ${list.join(', ')} } from '${from}';`),
    'export interface Operations {',
    ...members,
    '}',
    'export declare const routes: Readonly<Record<keyof Operations, string>>;',
    '',
  ].join('\n'),
);
