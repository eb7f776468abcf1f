/** The search for values over random values and filters, beside a plain filter, in pages. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { getCaselessNameKey } from '../../lib/names/same-name.ts';
import type { Context } from '../../context.ts';
import { attributeTypes } from './attribute-types.ts';
import { insertValue, listValues, removeValue, type ValueFilter } from './store.ts';

const words = ['High', 'Höhe', 'low', 'PCI DSS', '100%', 'a_b', 'LOWER'];
const count = 40;
const idOf = (place: number): string => `v${String(place).padStart(26, '0')}`;

interface Value {
  readonly id: string;
  readonly typeId: string;
  readonly value: string;
  readonly isGone: boolean;
}

describe('listValues', () => {
  let two: TwoTenants;
  let context: Context;
  const values: Value[] = [];

  beforeAll(async () => {
    two = await useTwoTenants();
    context = two.ours.system;
    for (let place = 0; place < count; place++) {
      const value = `${words[place % words.length]} ${Math.floor(place / words.length)}`;
      const one = { id: idOf(place), typeId: attributeTypes[place % 2]?.id ?? '', value, isGone: place % 9 === 8 };
      expect(await insertValue(context, one)).toBe(true);
      expect(await insertValue(context, { ...one, id: `w${one.id.slice(1)}`, value: `  ${value.toUpperCase()}` })).toBe(false);
      if (one.isGone) {
        await removeValue(context, one.id);
      }
      values.push(one);
    }
    await insertValue(two.theirs.system, { id: idOf(99), typeId: attributeTypes[0]?.id ?? '', value: 'High theirs' });
  });
  afterAll(() => two.close());

  const ids = fc.array(
    fc.nat(count + 3).map((place) => idOf(place)),
    { maxLength: 8 },
  );
  const filter: fc.Arbitrary<ValueFilter> = fc.record(
    {
      ids,
      excludeIds: ids,
      typeIds: fc.array(fc.constantFrom(...attributeTypes.map(({ id }) => id), 'none')),
      value: fc.constantFrom(...words, 'nothing').map((word) => getCaselessNameKey(`${word} 1`)),
      query: fc.constantFrom('high', 'HOHE', 'w', '0%', '_', 'pci 2', 'dss pci', 'theirs'),
    },
    { requiredKeys: [] },
  );

  /** Accents and case are nothing to a query, and every word of it must be found. */
  const fold = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase();
  const isFound = (one: Value, wanted: ValueFilter): boolean =>
    !one.isGone &&
    (wanted.ids?.includes(one.id) ?? true) &&
    !(wanted.excludeIds?.includes(one.id) ?? false) &&
    (wanted.typeIds?.includes(one.typeId) ?? true) &&
    (wanted.value === undefined || getCaselessNameKey(one.value) === wanted.value) &&
    (wanted.query === undefined ||
      fold(wanted.query)
        .split(' ')
        .every((word) => fold(one.value).includes(word)));

  it('finds what a plain filter finds, by id, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 12 }), async (wanted, size) => {
        const found: string[] = [];
        for (;;) {
          const page = await listValues(context, wanted, found.at(-1) ?? '', size);
          found.push(...page.map(({ id }) => id));
          if (page.length < size) {
            break;
          }
        }
        expect(found).toEqual(values.filter((one) => isFound(one, wanted)).map(({ id }) => id));
      }),
      { numRuns: runs(40, 150) },
    );
  });

  it('takes a name again once its value is deleted', async () => {
    const gone = values.find(({ isGone }) => isGone);
    const { typeId = '', value = '' } = gone ?? {};
    expect(await insertValue(context, { id: idOf(500), typeId, value })).toBe(true);
    expect((await listValues(context, { value: getCaselessNameKey(value) }, '', 10)).map(({ id }) => id)).toEqual([idOf(500)]);
    await removeValue(context, idOf(500));
  });
});
