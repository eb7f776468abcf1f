/** Leaving for another site is under way until the page is shown again. */
import { afterEach, expect, it, vi } from 'vitest';
import { createOnce } from './once.ts';
import { leaveTo } from './leave-to.ts';

afterEach(() => void vi.unstubAllGlobals());

it('leads away once, and again after the browser came back', async () => {
  const page = new EventTarget();
  const assign = vi.fn();
  vi.stubGlobal('window', Object.assign(page, { location: { assign } }));
  const once = createOnce();
  const away = once('', () => leaveTo('https://id.example.com/a'));
  await Promise.resolve();
  void once('', () => leaveTo('https://id.example.com/b'));
  expect(assign.mock.calls).toEqual([['https://id.example.com/a']]);
  page.dispatchEvent(new Event('pageshow'));
  await away;
  void once('', () => leaveTo('https://id.example.com/c'));
  expect(assign).toHaveBeenCalledTimes(2);
});
