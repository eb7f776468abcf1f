/** Part of a queue that is shown: how it is grouped, which group, which of its rows, and in which order. */
import type { Grouping, Order } from '~/data/queue/queue-rows.ts';

export type By = Grouping;
export type Show = 'todo' | 'closer' | 'new' | 'mine' | 'all';

export interface QueueView {
  readonly by: By;
  readonly group: string;
  readonly show: Show;
  readonly q: string;
  readonly sort: Order;
}
