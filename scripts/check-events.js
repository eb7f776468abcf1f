// Kinds of events that nobody records, which the compiler cannot see: part of `npm run typecheck`. Whoever only hears of a kind (a reaction, a mail,
// a page) does not record it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { root } from './steps.js';

/** Calls `say` with each kind that a file records: the value of a member of an object, or what a function gets whose name begins with `record`. */
function visitRecorded({ path, text }, say) {
  const sayEach = (node) => {
    switch (node.type) {
      case 'Literal':
        say(node.value);
        break;
      case 'ConditionalExpression':
        sayEach(node.consequent);
        sayEach(node.alternate);
        break;
      case 'LogicalExpression':
        sayEach(node.right);
    }
  };
  new Visitor({
    Property: ({ value }) => sayEach(value),
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name.startsWith('record')) {
        given.forEach(sayEach);
      }
    },
  }).visit(parseSync(path, text).program);
}

/** Returns a sentence for each kind of the catalogue that nobody records, with its place in it. */
export function findUnrecorded(sources) {
  const recorded = new Set();
  const kinds = [];
  for (const source of sources) {
    if (!source.path.startsWith('src/events/')) {
      visitRecorded(source, (value) => recorded.add(value));
    } else if (!source.path.startsWith('src/events/words')) {
      for (const { 1: kind, index } of source.text.matchAll(/^ {2}'([a-z_]+\.[a-z_]+)': \{/gm)) {
        kinds.push({ kind, place: `${source.path}:${source.text.slice(0, index).split('\n').length}` });
      }
    }
  }
  return kinds
    .filter(({ kind }) => !recorded.has(kind))
    .map(({ kind, place }) => `${place}: nobody records the event ${kind}: write it with recordEvent, or take it out of the catalogue`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const paths = globSync('src/{foundation,inventory,governance,outward,events}/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  const findings = findUnrecorded(paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })));
  process.stderr.write(findings.map((finding) => `${finding}\n`).join(''));
  process.exitCode = findings.length === 0 ? 0 : 1;
}
