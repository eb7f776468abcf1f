/** The names of strokes: the same on every keyboard, and signs without the Shift that makes them. */
import { describe, expect, it } from 'vitest';
import { strokeOf } from './keyboard.ts';

const pressed = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey', boolean>> = {}) =>
  strokeOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...held });

describe('a stroke', () => {
  it.each([
    ['j', {}, 'j'],
    ['J', { shiftKey: true }, 'shift+j'],
    ['k', { metaKey: true }, 'mod+k'],
    ['k', { ctrlKey: true }, 'mod+k'],
    ['Enter', { ctrlKey: true }, 'mod+Enter'],
    ['Enter', { shiftKey: true }, 'shift+Enter'],
    ['?', { shiftKey: true }, '?'],
    ['/', { shiftKey: true }, '/'],
    ['[', {}, '['],
    [' ', {}, 'Space'],
    ['ArrowDown', {}, 'ArrowDown'],
    ['Ö', { shiftKey: true }, 'shift+ö'],
  ] as const)('of %s is named by what it means', (key, held, name) => {
    expect(pressed(key, held)).toBe(name);
  });
});
