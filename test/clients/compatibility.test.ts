/** docs/compatibility.md lists what the contract serves, all of it and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { page, renderPage } from '../../scripts/list-operations.js';

it('docs/compatibility.md is current; if not: node scripts/list-operations.js', async () => {
  const text = readFileSync(page, 'utf8');
  expect(text).toBe(await renderPage(text));
});
