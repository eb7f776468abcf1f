/** Links of Google Sheets, as people copy them. */
import { expect, it } from 'vitest';
import { findSheetExport } from './google-sheets.ts';

const base = 'https://docs.google.com/spreadsheets';

it.each([
  [`${base}/d/1a_B-c/edit?gid=12#gid=12`, `${base}/d/1a_B-c/export?format=csv&gid=12`],
  [`${base}/d/1a_B-c/edit#gid=0`, `${base}/d/1a_B-c/export?format=csv&gid=0`],
  [`${base}/d/1a_B-c/edit?usp=sharing`, `${base}/d/1a_B-c/export?format=csv`],
  [`${base}/d/1a_B-c`, `${base}/d/1a_B-c/export?format=csv`],
  [`${base}/u/1/d/1a_B-c/view?resourcekey=0-x#gid=12&range=A1`, `${base}/d/1a_B-c/export?format=csv&gid=12&resourcekey=0-x`],
  [`${base}/d/1a_B-c/export?format=xlsx&gid=3`, `${base}/d/1a_B-c/export?format=csv&gid=3`],
  [`${base}/d/e/2PACX-1v/pubhtml?gid=4&single=true`, `${base}/d/e/2PACX-1v/pub?output=csv&gid=4&single=true`],
  [`${base}/d/e/2PACX-1v/pubhtml`, `${base}/d/e/2PACX-1v/pub?output=csv`],
])('%s leads to CSV', (link, csv) => {
  expect(findSheetExport(new URL(link))?.href).toBe(csv);
  // What leads there already stays.
  expect(findSheetExport(new URL(csv))?.href).toBe(csv);
});

it.each([
  `${base}/`,
  'https://docs.google.com/document/d/1a/edit',
  'https://docs.google.com.evil.example/spreadsheets/d/1a/edit',
  'https://a.example/x',
])('%s is no sheet', (link) => {
  expect(findSheetExport(new URL(link))).toBeUndefined();
});
