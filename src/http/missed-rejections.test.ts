/** A rejection that nobody handled is logged and counted, and the process goes on. */
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { silentLogger } from '../context.ts';
import { watchRejections } from './missed-rejections.ts';

it('is logged and counted until the watch ends', () => {
  const logged: unknown[] = [];
  const from = new EventEmitter();
  const missed = watchRejections({ ...silentLogger, error: (fields) => logged.push(fields) }, from);
  const reason = new Error('missed');
  from.emit('unhandledRejection', reason);
  expect([missed.count(), logged]).toEqual([1, [{ err: reason }]]);
  missed.stop();
  expect(from.listenerCount('unhandledRejection')).toBe(0);
});
