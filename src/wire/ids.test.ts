/** Identifiers: their form, their order, and that none is given twice. */
import { describe, expect, it } from 'vitest';
import { idFloor, isId, newId, newIdPrefix } from './ids.ts';

describe('identifiers', () => {
  it('have 27 characters of [0-9A-Za-z] and sort in the order they were made, whatever the clock does', () => {
    const start = Date.parse('2026-05-01T00:00:00Z');
    const ids = Array.from({ length: 20_000 }, (_, index) => newId(new Date(start + (index % 7) - Math.floor(index / 5000))));
    expect(ids.every(isId)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('sort by time', () => {
    const later = newId(new Date('2031-01-01T00:00:00Z'));
    const muchLater = newId(new Date('2131-01-01T00:00:00Z'));
    expect(later < muchLater).toBe(true);
  });

  it('come in bulk from a prefix of 19 characters', () => {
    const now = new Date();
    const prefixes = Array.from({ length: 1000 }, () => newIdPrefix(now));
    expect(new Set(prefixes).size).toBe(1000);
    expect(prefixes.every((prefix) => isId(`${prefix}00000001`))).toBe(true);
  });

  it.each(['', 'x'.repeat(26), 'x'.repeat(28), `${'x'.repeat(26)}-`, `${'x'.repeat(27)}\n`])('%j is none', (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('the floor of a moment', () => {
  it('is above every identifier before it, and below every one since', () => {
    const moment = new Date('2030-01-01T00:00:00.000Z');
    const just = (ms: number): Date => new Date(moment.getTime() + ms);
    const [before, at, behind] = [newIdPrefix(just(-1)), newIdPrefix(moment), newIdPrefix(just(1))];
    expect([before < idFloor(moment), at >= idFloor(moment), behind > idFloor(moment)]).toEqual([true, true, true]);
    expect(idFloor(just(1)) > idFloor(moment)).toBe(true);
  });
});
