/**
 * Numbers that count up within a tenant, without gaps: a transaction that fails gives its numbers back.
 */
import type { Context } from '../../context.ts';
import { type CounterName, findCounter, lockCounter, updateCounter } from './store-counters.ts';

/**
 * Takes the next `count` numbers of a counter and returns the last of them. Whoever else wants one waits until this transaction ends, so take
 * them late; none (0) holds the counter still and returns the last number taken.
 */
export function takeNumbers(context: Context, name: CounterName, count: number): Promise<number> {
  return updateCounter(context, name, count);
}

/**
 * The last number taken of a counter, which stands still until the transaction ends; undefined, at once, where somebody else is taking one. Before
 * the first number it is 0, and does not stand still.
 */
export function holdNumber(context: Context, name: CounterName): Promise<number | undefined> {
  return lockCounter(context, name);
}

/** The last number taken of a counter, as last committed; 0 before the first. */
export function findLastNumber(context: Context, name: CounterName): Promise<number> {
  return findCounter(context, name);
}
