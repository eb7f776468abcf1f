/** The keys of a queue. Letters act only while the list or the question has the focus, and can be turned off. */
import { hasCommand, isForOthers, meaningOfEvent } from '~/app/keyboard/keyboard.ts';
import type { Action } from '~/data/queue/state/reduce.ts';
import type { QueueStore } from '~/data/queue/store.ts';
import { lettersAreOn } from '~/data/session/display.ts';
import type { QueueActions } from './actions.ts';

/** Keys that go on while they are held: they move, and decide nothing. */
const going = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'j', 'k', 'shift+j', 'shift+k', 'n', '[', ']', ',', '.']);

/** Page actions beside the queue's own. */
export interface PageKeys {
  readonly filter: () => void;
  readonly group: (place: number) => void;
  readonly onlyLeft: () => void;
  readonly question: () => void;
  readonly list: () => void;
  readonly why: () => void;
  readonly submit: () => void;
}

/** True if somebody writes there. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Does what a key means; whether it meant something. */
export function pressKey(event: KeyboardEvent, store: QueueStore, actions: QueueActions, page: PageKeys): boolean {
  const { mode, selected, current } = store.state;
  const { key, shiftKey } = event;
  if (isForOthers(event)) {
    return false;
  }
  if (event.repeat && !going.has(key) && !going.has(meaningOfEvent(event))) {
    return true;
  }
  if (hasCommand(event)) {
    // While a field is open it is what Enter confirms, and it may still be on its way to the page.
    return key === 'Enter' && act(() => (mode === 'free' ? page.submit() : undefined));
  }
  // What is written for a field decides nothing where the field is still on its way to the page.
  if (mode !== 'free' && (key.length === 1 || key === 'Backspace')) {
    return true;
  }
  const to = (action: Action) => () => store.dispatch(action);
  const down = to({ kind: 'move', by: 1 });
  const up = to({ kind: 'move', by: -1 });
  const takeNext = to({ kind: 'extend', by: 1 });
  const takePrevious = to({ kind: 'extend', by: -1 });
  const plain = new Map<string, () => void>([
    ['ArrowDown', shiftKey ? takeNext : down],
    ['ArrowUp', shiftKey ? takePrevious : up],
    ['PageDown', to({ kind: 'move', by: 10 })],
    ['PageUp', to({ kind: 'move', by: -10 })],
    ['Home', to({ kind: 'goToStart' })],
    ['End', to({ kind: 'goToEnd' })],
    ['Backspace', () => actions.undoThis()],
    ['Escape', mode !== 'free' ? to({ kind: 'mode', mode: 'free' }) : selected.size > 0 ? to({ kind: 'clearSelection' }) : page.list],
    [' ', to({ kind: 'toggle', id: current })],
    ['Enter', page.question],
  ]);
  const letters = new Map<string, () => void>([
    ['j', down],
    ['k', up],
    ['shift+j', takeNext],
    ['shift+k', takePrevious],
    ['n', to({ kind: 'goToNextLeft' })],
    ['[', to({ kind: 'moveSection', by: -1 })],
    [']', to({ kind: 'moveSection', by: 1 })],
    ['c', () => actions.decide({ choice: 'certify' })],
    ['d', () => actions.decide({ choice: 'deny' })],
    ['t', () => actions.open('until')],
    ['r', () => actions.open('reassign')],
    ['m', () => actions.open('comment')],
    ['z', () => actions.undoLast()],
    ['x', to({ kind: 'toggle', id: current })],
    ['shift+x', to({ kind: 'selectSection' })],
    ['/', page.filter],
    ['1', () => page.group(0)],
    ['2', () => page.group(1)],
    ['3', () => page.group(2)],
    ['4', () => page.group(3)],
    ['o', page.onlyLeft],
    ['w', page.why],
  ]);
  const run = plain.get(key) ?? (lettersAreOn() ? letters.get(meaningOfEvent(event)) : undefined);
  return run !== undefined && act(run);
}

function act(run: () => void): true {
  run();
  return true;
}
