/** The keys of a queue. Letters act only while the list or the question has the focus, and can be turned off. */
import { meaningOfEvent } from '../../app/keyboard.ts';
import { lettersAreOn } from '../../data/display.ts';
import type { QueueActions } from './actions.ts';

/** What the page does beside the model. */
export interface PageKeys {
  readonly filter: () => void;
  readonly group: (place: number) => void;
  readonly onlyLeft: () => void;
  readonly question: () => void;
  readonly list: () => void;
  readonly why: () => void;
  readonly submit: () => void;
}

/** Whether somebody writes there. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Does what a key means; whether it meant something. */
export function pressKey(event: KeyboardEvent, actions: QueueActions, page: PageKeys): boolean {
  const { model } = actions;
  const { key, shiftKey } = event;
  if (event.altKey) {
    return false;
  }
  if (event.ctrlKey || event.metaKey) {
    // While a field is open it is what Enter confirms, and it may still be on its way to the page.
    return key === 'Enter' && act(() => (model.mode === 'free' ? page.submit() : undefined));
  }
  const plain = new Map<string, () => void>([
    ['ArrowDown', () => (shiftKey ? model.extend(1) : model.move(1))],
    ['ArrowUp', () => (shiftKey ? model.extend(-1) : model.move(-1))],
    ['PageDown', () => model.move(10)],
    ['PageUp', () => model.move(-10)],
    ['Home', () => model.first()],
    ['End', () => model.last()],
    ['Backspace', () => actions.undoThis()],
    ['Escape', () => (model.mode !== 'free' ? model.setMode('free') : model.selected.size > 0 ? model.select([]) : page.list())],
    [' ', () => model.toggle(model.current)],
    ['Enter', page.question],
  ]);
  const letters = new Map<string, () => void>([
    ['j', () => model.move(1)],
    ['k', () => model.move(-1)],
    ['shift+j', () => model.extend(1)],
    ['shift+k', () => model.extend(-1)],
    ['n', () => model.go(model.nextLeft() ?? '')],
    ['[', () => model.moveSection(-1)],
    [']', () => model.moveSection(1)],
    ['c', () => actions.decide({ choice: 'certify' })],
    ['d', () => actions.decide({ choice: 'deny' })],
    ['t', () => actions.open('until')],
    ['r', () => actions.open('reassign')],
    ['m', () => actions.open('comment')],
    ['z', () => actions.undoLast()],
    ['x', () => model.toggle(model.current)],
    ['shift+x', () => model.selectSection()],
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
