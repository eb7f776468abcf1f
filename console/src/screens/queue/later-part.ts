/** Parts of a queue that are fetched when they are wanted. */
import { type ComponentType, lazy } from 'react';
import { loadLater } from '~/data/queue/load-later.ts';

/** A part that is fetched when it is drawn first, and waited for while the server does not answer. */
export function laterPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadLater(load) }));
}
