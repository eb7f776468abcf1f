/** The names of strokes: the same on every keyboard, and signs without the Shift that makes them. */
import { describe, expect, it } from 'vitest';
import { isForOthers, strokeOf } from './keyboard.ts';

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

  it.each<[string, string, { altGraph?: boolean; isApple?: boolean; ctrlKey?: boolean; altKey?: boolean }, string | undefined]>([
    ['AltGr on a German keyboard', '[', { altGraph: true }, '['],
    ['AltGr where it is Ctrl and Alt', ']', { altGraph: true, ctrlKey: true, altKey: true }, ']'],
    ['Ctrl and Alt, as AltGr is for some systems', '[', { ctrlKey: true, altKey: true }, '['],
    ['Ctrl, Alt and a letter', 'c', { ctrlKey: true, altKey: true }, undefined],
    ['AltGr and a letter', 'e', { altGraph: true, ctrlKey: true, altKey: true }, undefined],
    ['Option on a Mac', '[', { altKey: true, isApple: true }, '['],
    ['Option with Ctrl, which is VoiceOver', '[', { altKey: true, ctrlKey: true, isApple: true }, undefined],
    ['Alt elsewhere', '[', { altKey: true }, undefined],
    ['Alt and a letter', 'c', { altKey: true }, undefined],
  ])('with %s is that of the sign it writes, or none of ours', (_, key, { altGraph = false, isApple = false, ...held }, name) => {
    const event = { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held, getModifierState: () => altGraph };
    expect(isForOthers(event, isApple) ? undefined : strokeOf(event)).toBe(name);
  });
});
