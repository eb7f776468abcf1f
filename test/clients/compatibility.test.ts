/** docs/compatibility.md lists what the contract serves, all of it and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { page, renderPage } from '../../scripts/list-operations.js';

/** Tables are compared by what stands in them, not by how their columns are padded. */
const withoutPadding = (text: string): string => text.replace(/ *\| */g, '|').replace(/-{2,}/g, '-');

it('docs/compatibility.md is current; if not: node scripts/list-operations.js && npm run format', async () => {
  const text = readFileSync(page, 'utf8');
  expect(withoutPadding(text)).toBe(withoutPadding(await renderPage(text)));
});
