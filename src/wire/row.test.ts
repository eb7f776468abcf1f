/** Rows are typed by the contract: the type check fails where one of the lines that are expected to fail does not. */
import { expect, it } from 'vitest';
import type { AppResourceType } from '../gen/c1/api/app/v1/app_pb.js';
import { type Row, timeText, unset } from './row.ts';

const at = new Date('2026-01-02T03:04:05Z');
const whole = { id: 'i', appId: 'a', displayName: 'd', traitIds: ['t'], createdAt: at, updatedAt: at.toISOString(), deletedAt: null };

it('is a row with other members beside, and with fields that are said to be unset', () => {
  const withMore: Row<AppResourceType> = { ...whole, ...{ tenantId: 't' } };
  const { traitIds: _traits, ...some } = whole;
  const withoutTraits: Row<AppResourceType> = { ...some, ...unset('traitIds') };
  expect([withMore.id, withoutTraits.traitIds]).toEqual(['i', undefined]);
});

it('is no row where a field is missing or has a wrong type', () => {
  const { deletedAt: _deleted, ...some } = whole;
  // @ts-expect-error: deletedAt is missing.
  const missing: Row<AppResourceType> = some;
  // @ts-expect-error: a number is no time.
  const wrong: Row<AppResourceType> = { ...whole, createdAt: 7 };
  expect([missing.deletedAt, wrong.createdAt]).toEqual([undefined, 7]);
});

it.each([
  [at, '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678901Z'],
  ['2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05Z'],
  ['2026-01-02T03:04:05.678901+00:00', '2026-01-02T03:04:05.678Z'],
])('spells a time: %s', (time, text) => {
  expect(timeText(time)).toBe(text);
});
