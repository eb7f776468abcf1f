/** A key that is held goes on moving and decides nothing more. */
import { expect, it, vi } from 'vitest';
import type { QueueStore } from '~/data/queue/store.ts';
import type { QueueActions } from './actions.ts';
import { type PageKeys, pressKey } from './keys.ts';

/** What a key does when it is pressed and then held. */
function hold(key: string, held: { shiftKey?: boolean; ctrlKey?: boolean } = {}, mode = 'free') {
  const done = vi.fn();
  const any = <T>(): T => new Proxy({}, { get: () => done }) as T;
  const store = { state: { mode, selected: new Set(['a']), current: 'a' }, dispatch: done } as unknown as QueueStore;
  const press = (repeat: boolean) => {
    const modifiers = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, getModifierState: () => false };
    const event = { key, ...modifiers, ...held, repeat } as unknown as KeyboardEvent;
    return pressKey(event, store, any<QueueActions>(), any<PageKeys>());
  };
  expect(press(false)).toBe(true);
  const once = done.mock.calls.length;
  expect(press(true)).toBe(true);
  return { once, twice: done.mock.calls.length };
}

it.each(['c', 'd', 't', 'r', 'm', 'z', 'x', 'X', 'o', 'w', '/', '1', 'Backspace', 'Escape', ' ', 'Enter'])('%s acts once', (key) => {
  expect(hold(key, { shiftKey: key === 'X' })).toEqual({ once: 1, twice: 1 });
});

it('Ctrl and Enter act once', () => {
  expect(hold('Enter', { ctrlKey: true })).toEqual({ once: 1, twice: 1 });
});

it.each(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'j', 'k', 'n', '[', ']', ',', '.'])('%s goes on', (key) => {
  expect(hold(key)).toEqual({ once: 1, twice: 2 });
});

it.each(['ArrowDown', 'ArrowUp', 'J', 'K'])('Shift and %s go on', (key) => {
  expect(hold(key, { shiftKey: true })).toEqual({ once: 1, twice: 2 });
});

it.each(['c', 'd', 'z', 'x', 'j', '1', ' ', 'Backspace'])('%s does nothing while a field is open, or on its way', (key) => {
  expect(hold(key, {}, 'deny')).toEqual({ once: 0, twice: 0 });
});
