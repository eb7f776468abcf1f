/** Handling of failing figures by `npm run bench`. */
import { expect, it } from 'vitest';
import { atMost, type Figure, measureAll } from './figure.ts';

it('hears the results of a figure one by one', async () => {
  const log: string[] = [];
  const figure: Figure = async function* () {
    for (const title of ['one', 'two']) {
      log.push(`measures ${title}`);
      yield await Promise.resolve(atMost(1, { title, ours: '1', peer: '1', ratio: 1 }));
    }
  };
  await measureAll(
    [['both', figure]],
    () => Promise.reject(new Error('not asked for')),
    ({ title }) => log.push(title),
    () => undefined,
  );
  expect(log).toEqual(['measures one', 'one', 'measures two', 'two']);
});

it('goes on after a figure that fails, hears each result when it is there, and names what failed', async () => {
  const log: string[] = [];
  const figure = (title: string): Figure => {
    return () => Promise.resolve([atMost(1, { title, ours: '1', peer: '1', ratio: 1 })]);
  };
  const broken: Figure = () => Promise.reject(new Error('A credential can only be made for an enabled person.'));
  const measured = await measureAll(
    [
      ['first', figure('one')],
      ['second', broken],
      ['third', figure('three')],
    ],
    () => Promise.reject(new Error('not asked for')),
    ({ title }) => log.push(title),
    (line) => log.push(line.split('\n')[0] ?? ''),
  );
  expect(measured.failed).toEqual(['second']);
  expect(measured.results.map(({ title }) => title)).toEqual(['one', 'three']);
  expect(log).toEqual([
    'measuring: first',
    'one',
    'measuring: second',
    'second failed: Error: A credential can only be made for an enabled person.',
    'measuring: third',
    'three',
  ]);
});
