/** What a review's table and stories say of who decided an item. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadLanguage } from '~/text/text.ts';
import { itemOf, sayDecided } from './item.ts';

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await loadLanguage(['en-GB']);
});
afterEach(() => vi.unstubAllGlobals());

const view = (data: object, state = 'TASK_STATE_CLOSED') => ({
  task: { id: 't', state, type: { certify: { outcome: 'CERTIFY_OUTCOME_CERTIFIED' } }, data },
});
const say = (data: object): string => sayDecided(itemOf(view(data) as never, []), (id) => (id ? 'Ann' : ''));

it.each([
  ['a person, where no signatures are asked for', { decidedByUserId: 'a', endReason: 'DECIDED' }, 'Ann'],
  ['a person who signed', { decidedByUserId: 'a', endReason: 'DECIDED', signature: { state: 'SIGNED' } }, 'Ann'],
  ['a policy, which nobody signed', { endReason: 'DECIDED', signature: { state: 'NOT_BY_PERSON' } }, /^.+, not signed by a person$/],
  [
    'an earlier review, which nobody signed here',
    { decidedByUserId: 'a', endReason: 'CARRIED', signature: { state: 'NOT_BY_PERSON' } },
    'Ann, not signed by a person',
  ],
  [
    'a person without a signature',
    { decidedByUserId: 'a', endReason: 'DECIDED', signature: { state: 'NOT_SIGNED' } },
    'Ann, but NOT SIGNED',
  ],
])('names %s', (_, data, said) => {
  expect(say(data)).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
});
