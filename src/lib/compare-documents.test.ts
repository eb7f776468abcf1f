/** Differences between two documents. */
import { expect, it } from 'vitest';
import { compareDocuments } from './compare-documents.ts';

it('names what differs, with what was and what is', () => {
  const before = { same: [1, { a: 1 }], gone: 'x', changed: { a: 1 }, a: 1 };
  const after = { same: [1, { a: 1 }], changed: { a: 2 }, new: null, a: 1 };
  expect(compareDocuments<object>(before, after)).toEqual({
    fields: ['changed', 'gone', 'new'],
    from: { changed: { a: 1 }, gone: 'x' },
    to: { changed: { a: 2 }, new: null },
  });
});

it('finds nothing in equal documents, whatever their order', () => {
  expect(compareDocuments<object>({ a: 1, b: [2] }, { b: [2], a: 1 })).toEqual({ fields: [], from: {}, to: {} });
});
