/** Parts of a queue that are fetched when they are wanted. */
import type { ComponentType } from 'react';
import { loadLater } from '~/data/queue/load-later.ts';
import { lazyPart } from '~/parts/states/lazy-part.tsx';

/** A part that is fetched when it is drawn first, and waited for while the server does not answer. */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazyPart(() => loadLater(load));
}
