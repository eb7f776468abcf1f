/** Names in removals: as they were at the act, with today's beside them where that is another one. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { nameSince } from '~/data/names-since.ts';
import { idsInRemoval, withNamesSince } from './removals.ts';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await loadLanguage(['en']);
});
afterAll(() => void vi.unstubAllGlobals());

describe('names of then', () => {
  it.each([
    ['Ann Old', 'Ann New', 'Ann Old (now Ann New)'],
    ['Ann Old', 'Ann Old', 'Ann Old'],
    ['Ann Old', undefined, 'Ann Old'],
    ['Ann Old', '', 'Ann Old'],
    ['', 'Ann New', ''],
    [undefined, 'Ann New', ''],
  ])('%s, now %s: %s', (then, now, shown) => {
    expect(nameSince(then, now)).toBe(shown);
  });

  it('stand in a removal for each who acted', () => {
    const row = {
      reviewerUserId: 'a',
      reviewerDisplayName: 'Ann Old',
      claimedByUserId: 'b',
      claimedByDisplayName: 'Ben',
      actorDisplayName: '',
    };
    const today = new Map([
      ['a', 'Ann New'],
      ['b', 'Ben'],
    ]);
    const named = withNamesSince(row, (id = '', then = '') => nameSince(then, today.get(id)));
    expect(named).toMatchObject({ reviewerDisplayName: 'Ann Old (now Ann New)', claimedByDisplayName: 'Ben', actorDisplayName: '' });
    expect(idsInRemoval(row)).toEqual(expect.arrayContaining(['a', 'b']));
  });
});
