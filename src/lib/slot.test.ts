/** Slots: filled once, and never read before. */
import { expect, it } from 'vitest';
import { createSlot } from './slot.ts';

it('a slot gives what it was filled with', () => {
  const slot = createSlot<number>('number');
  slot.fill(0);
  expect(slot.get()).toBe(0);
});
it('a slot that nobody filled names itself', () => {
  expect(() => createSlot('number').get()).toThrow('the slot number is not filled');
});
it('a slot is filled once', () => {
  const slot = createSlot<string | undefined>('text');
  slot.fill(undefined);
  expect(() => slot.fill('again')).toThrow('the slot text is filled twice');
});
