/** Columns of one name: read where they say the same, refused where they differ, and chosen by their number. */
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../../test/support/read-rows.ts';
import type { Mapping } from '../values/mapping.ts';

/** Account, what is held, attributes. */
const cells = [1, 7, 16];
const read = (rows: readonly string[], asked: Mapping = {}) => readLines('grants', ['Login,Role,Role', ...rows], cells, asked);

describe('columns of one name', () => {
  it('are one where they say the same', async () => {
    expect(await read(['tom,Pay,Pay'])).toEqual(['tom | Pay | {"Role":"Pay"}']);
  });

  it('are refused where they differ, with their places and the way out', async () => {
    const [told] = await read(['tom,Pay,Pay', 'mia,Pay,Post']);
    expect(told).toContain(
      'line 1: the header names "role" twice: the columns 2 and 3 have this name, and differ: "Pay" and "Post"; say which counts, such as map=entitlement=role (2)',
    );
    const late = await read([...Array.from({ length: 3000 }, (_, at) => `u${at},Pay,Pay`), 'mia,Pay,Post']);
    expect(late.at(-1)).toBe('line 3002, role: refused');
  });

  it('are chosen by their number, and are no matter where none is used', async () => {
    expect(await read(['tom,Pay,Post'], { entitlement: 'Role (2)' })).toEqual(['tom | Post | {"Role":"Pay"}']);
    expect(await read(['tom,Pay,Post'], { entitlement: 'Role (1)' })).toEqual(['tom | Pay | {"Role":"Post"}']);
    expect(await read(['tom,Pay,Post'], { entitlement: 'Role (3)' })).toEqual([expect.stringContaining('the file has no such column')]);
    expect(await readLines('grants', ['account,entitlement,Note,Note', 'tom,Pay,a,b'], cells)).toEqual([
      'tom | Pay | {"Note":"a","Note (2)":"b"}',
    ]);
  });
});
