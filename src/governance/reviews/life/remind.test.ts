/** Time a reminder keeps the next one waiting. */
import { expect, it } from 'vitest';
import { findNextReminder } from './remind.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const after = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

it.each([
  ['never', null, undefined],
  ['fifteen minutes ago', after(-15), undefined],
  ['five minutes ago', after(-5), after(10)],
  ['by a clock half a minute ahead', after(0.5), after(15.5)],
  ['by a clock that ran five hours ahead', after(300), undefined],
])('reminded %s', (_when, remindedAt, next) => {
  expect(findNextReminder({ remindedAt }, now)).toEqual(next);
});
