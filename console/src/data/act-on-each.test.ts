/** Doing something to each of several. */
import { expect, it } from 'vitest';
import { actOnEach } from './act-on-each.ts';
import { ClientError } from './query.ts';

const failing = (errors: Readonly<Record<string, Error>>) => {
  const tried: string[] = [];
  const act = (one: string) => {
    tried.push(one);
    const error = errors[one];
    return error === undefined ? Promise.resolve() : Promise.reject(error);
  };
  return { tried, act };
};
const error = (status: number, message: string) => new ClientError(message, { status, code: 'INTERNAL' });

it('goes on behind a refusal, and says which one was refused and why', async () => {
  const { tried, act } = failing({ b: error(409, 'It is decided.') });
  const behind: number[] = [];
  expect(await actOnEach(['a', 'b', 'c'], act, (count) => behind.push(count))).toEqual({
    done: ['a', 'c'],
    notDone: [{ one: 'b', message: 'It is decided.' }],
  });
  expect([tried, behind]).toEqual([
    ['a', 'b', 'c'],
    [0, 1, 2],
  ]);
});

it.each([
  ['nobody answers', error(0, 'No answer.')],
  ['a part of the way is down', error(503, 'No answer.')],
  ['the session has ended', error(401, 'No answer.')],
])('tries no more where %s', async (_, outage) => {
  const { tried, act } = failing({ b: outage });
  expect(await actOnEach(['a', 'b', 'c'], act)).toEqual({
    done: ['a'],
    notDone: [
      { one: 'b', message: 'No answer.' },
      { one: 'c', message: 'No answer.' },
    ],
  });
  expect(tried).toEqual(['a', 'b']);
});
