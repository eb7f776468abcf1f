/** Names of the built files: none has a word for which a browser that blocks advertising or tracking would not load it. */
import { readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { expect, it } from 'vitest';
import { safeName } from '../../console/vite-chunks.ts';

const src = join(import.meta.dirname, '..', '..', 'console', 'src');

/** As the common lists have them: a word by itself, between hyphens, dots and underscores. */
const blocked =
  /(?:^|[-_.])(?:ads?|adverts?|advertising|banners?|analytics|track(?:er|ers|ing)?|social|pixels?|beacons?|pop-?ups?|promos?|sponsor(?:s|ed)?|telemetry|cookies?|consent)(?:[-_.]|$)/i;

const modules = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:tsx?|css)$/.test(path))
  .map((path) => basename(path, extname(path)));

it('has none of them in any name that a module gives', () => {
  // There are such modules: that is what the names are for.
  expect(modules.some((name) => blocked.test(name))).toBe(true);
  expect(modules.map(safeName).filter((name) => blocked.test(name))).toEqual([]);
});

it.each([
  ['away-banner', 'away-part'],
  ['queue-banners', 'queue-part'],
  ['banner.module', 'part.module'],
  ['ad-analytics', 'part-part'],
  // Words that only begin or end alike.
  ['add-address', 'add-address'],
  ['stacks-tracks', 'stacks-tracks'],
  ['page', 'page'],
])('makes %s %s', (name, made) => {
  expect(safeName(name)).toBe(made);
});
