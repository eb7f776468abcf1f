/** Gaps in a draft, in the words of the form. */
import { beforeAll, expect, it } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { lackOf } from './lacks.ts';

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

it('says what a draft lacks in the words of the form, and else what the server says', () => {
  expect(lackOf({ field: 'scopeV2.selectedUsers.userIds', description: 'is chosen but empty' })).toBe(
    'Name the people whose access is asked about.',
  );
  expect(lackOf({ field: 'accessReview', description: 'nothing is chosen: name an app' })).toContain('Add an app');
  expect(lackOf({ field: 'accessReview', description: 'no access is in scope: the filters exclude everything' })).toContain(
    'leave nothing over',
  );
  expect(
    lackOf({
      field: 'accessReview',
      description:
        'no access is in scope: the filters exclude everything; an expression fails for 3 of 4 accounts, such as "ann": there is no key "x"',
    }),
  ).toBe('Nothing is left over: the expression fails for 3 of 4 accounts, such as ann: there is no key "x"');
  expect(
    lackOf({ field: 'accessReview', description: 'no access is in scope: nobody holds any of the 2 entitlements that are chosen' }),
  ).toContain('Nobody holds the entitlements that are chosen');
  expect(lackOf({ field: 'scopeType', description: 'BY_USERS needs scopeV2.selectedUsers' })).toContain('people');
  expect(lackOf({ field: 'multiApp', description: 'there is no app x' })).toBe('there is no app x');
});
