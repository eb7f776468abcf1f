/** Target of the sign-in page: a path of ours, whatever else a link asks for. */
import { describe, expect, it } from 'vitest';
import { isOwnPath, ownPath } from '../../console/src/data/session/own-path.ts';

describe('a path of ours', () => {
  it.each([
    '/',
    '/home',
    '/r/abc?by=app&show=todo#top',
    '/settings/credentials',
    '/r/abc?q=https%3A%2F%2Fother.test',
    '/r/abc?to=//other.test',
  ])('is %s', (path) => {
    expect(isOwnPath(path)).toBe(true);
    expect(ownPath(path)).toBe(path);
  });

  it.each([
    ['nothing', ''],
    ['a whole address', 'https://other.test/home'],
    ['an address without its scheme', '//other.test/home'],
    ['the same with a backslash', '/\\other.test/home'],
    ['a backslash further in', '/home\\..\\other.test'],
    ['a tab that browsers leave out', '/\t/other.test'],
    ['a line that browsers leave out', '/\n/other.test'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['a path without its slash', 'home'],
    ['a path that leads up and out', '../home'],
    ['a path after a space', ' /home'],
  ])('is not %s', (_, path) => {
    expect(isOwnPath(path)).toBe(false);
    expect(ownPath(path)).toBe('/');
  });

  it('is the start where none is wanted', () => {
    expect(ownPath(undefined)).toBe('/');
  });
});
