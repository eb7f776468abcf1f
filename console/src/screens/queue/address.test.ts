/** Address of a queue, read and written. */
import { describe, expect, it } from 'vitest';
import { addressOf, readAddress, queueView } from './address.ts';

describe('the address of a queue', () => {
  it('leaves out what is usual, and what it does not know', () => {
    expect(readAddress({})).toEqual({});
    expect(readAddress({ by: 'app', show: 'todo', q: '', group: '' })).toEqual({});
    expect(readAddress({ by: 'colour', sort: 'closer', show: 'everything', task: { id: 'x' }, other: '1' })).toEqual({});
  });

  it('reads what is there', () => {
    expect(readAddress({ by: 'person', group: 'g', show: 'mine', q: '42', task: 't' })).toEqual({
      by: 'person',
      group: 'g',
      show: 'mine',
      q: '42',
      task: 't',
    });
  });

  it('cuts what is too long', () => {
    expect(readAddress({ q: 'x'.repeat(500) }).q).toHaveLength(200);
  });

  it('comes back from a view as it was', () => {
    for (const address of [
      {},
      { by: 'resource' as const, group: 'g' },
      { show: 'closer' as const, q: 'pay' },
      { sort: 'unused' as const },
    ]) {
      expect(addressOf(queueView(address))).toEqual(address);
    }
    expect(queueView({})).toEqual({ by: 'app', group: '', show: 'todo', q: '', sort: 'closer' });
    expect(addressOf(queueView({ by: 'person' }), 'task')).toEqual({ by: 'person', task: 'task' });
  });
});
