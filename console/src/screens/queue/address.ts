/** Content of a queue's address: how it is grouped, which group, what is shown in which order, a filter, and the task that is looked at. Pure. */
import type { Order } from '~/data/queue/queue-rows.ts';
import type { By, QueueView, Show } from '~/data/queue/state/view.ts';

export interface QueueAddress {
  readonly by?: By;
  readonly group?: string;
  readonly show?: Show;
  readonly q?: string;
  readonly sort?: Order;
  readonly task?: string;
}

const bys: readonly By[] = ['app', 'person', 'resource', 'list'];
const shows: readonly Show[] = ['todo', 'closer', 'new', 'mine', 'all'];
export const sorts: readonly Order[] = ['closer', 'person', 'right', 'unused', 'newest'];

/** Reads an address; what it does not know, it leaves out. */
export function readAddress(search: Record<string, unknown>): QueueAddress {
  const of = (name: string): string => {
    const value = search[name];
    return typeof value === 'string' ? value : '';
  };
  const by = bys.find((one) => one === of('by') && one !== 'app');
  const show = shows.find((one) => one === of('show') && one !== 'todo');
  const sort = sorts.find((one) => one === of('sort') && one !== 'closer');
  const [group, q, task] = [of('group').slice(0, 100), of('q').slice(0, 200), of('task').slice(0, 100)];
  return {
    ...(by === undefined ? {} : { by }),
    ...(group === '' ? {} : { group }),
    ...(show === undefined ? {} : { show }),
    ...(q === '' ? {} : { q }),
    ...(sort === undefined ? {} : { sort }),
    ...(task === '' ? {} : { task }),
  };
}

/** The view that an address means. */
export function queueView({ by = 'app', group = '', show = 'todo', q = '', sort = 'closer' }: QueueAddress): QueueView {
  return { by, group, show, q, sort };
}

/** The address of a view; what is usual is left out. */
export function addressOf({ by, group, show, q, sort }: QueueView, task = ''): QueueAddress {
  return readAddress({ by, group, show, q, sort, task });
}
