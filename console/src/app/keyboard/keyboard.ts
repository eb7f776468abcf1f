/**
 * The keys of the console. Letters act only while nothing that takes text has the focus, and can be turned off (WCAG 2.1.4); strokes with Ctrl
 * or Command act always. What a page asks for by `useKeys` comes first, the newest before older ones; then any control in sight that names the
 * stroke as its shortcut is pressed, or gets the focus where it is an input. While a dialog is open, only what is in it acts.
 */
import { useEffect, useRef } from 'react';
import { lettersAreOn } from '~/data/session/display.ts';
import { strokeCommand } from '~/parts/words/key-map.ts';
import { isApple, nameShortcut } from '~/parts/words/keys.tsx';

/** Actions by stroke: `j`, `shift+j`, `mod+Enter`, `g h`, `Escape`, `Space`. `false` says that it was not for it. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

interface Registered {
  readonly read: () => KeyMap;
  readonly inDialog: boolean;
  readonly isLast: boolean;
}

const registered: Registered[] = [];
/** The first stroke of two, until another key. */
let before = '';

interface KeyOptions {
  /** They are those of a dialog, and act while one is open; all others act while none is. */
  readonly inDialog?: boolean;
  /** They are those of the whole console: a control in sight with the same keys comes before. */
  readonly isLast?: boolean;
  readonly enabled?: boolean;
}

/** Registers keys while the component is shown. */
export function useKeys(map: KeyMap, { inDialog = false, isLast = false, enabled = true }: KeyOptions = {}): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const one: Registered = { read: () => latest.current, inDialog, isLast };
    registered.unshift(one);
    return () => {
      registered.splice(registered.indexOf(one), 1);
    };
  }, [enabled, inDialog, isLast]);
}

/** Returns a stroke in the usual keys, as in a KeyMap; empty for a key whose command has another one. */
export function meaningOfEvent(event: Parameters<typeof strokeOf>[0]): string {
  return strokeCommand(strokeOf(event));
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'getModifierState'>;

/** True for strokes with Alt, which are the browser's and the system's, unless it was held to write a sign: `[` needs AltGr or Option on many keyboards. */
export function isForOthers(event: Pressed, isMac = isApple): boolean {
  const byAltGr = event.getModifierState('AltGraph') || (!isMac && event.ctrlKey && event.altKey);
  const writesSign = isSign(event.key) && (byAltGr || (isMac && event.altKey && !event.ctrlKey && !event.metaKey));
  return (event.altKey || byAltGr) && !writesSign;
}

const isSign = (key: string): boolean => key.length === 1 && key.toLowerCase() === key.toUpperCase();

/** The name of a stroke. Shift is named with letters and named keys; with signs it is part of the sign. */
export function strokeOf(event: Omit<Pressed, 'altKey' | 'getModifierState'> & Partial<Pressed>): string {
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return `${hasCommand(event) ? 'mod+' : ''}${event.shiftKey && !isSign(key) ? 'shift+' : ''}${key}`;
}

/** True if Ctrl or Command is held; AltGr is Ctrl and Alt for some. */
export function hasCommand(event: Parameters<typeof strokeOf>[0]): boolean {
  return event.metaKey || (event.ctrlKey && !event.altKey && event.getModifierState?.('AltGraph') !== true);
}

/** True if a key that is held presses on. Nothing is sent or decided by that, whoever listens; in a text of several lines Enter writes them. */
function isHeldPress({ repeat, key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  const writesLines = target instanceof Element && target.closest('textarea, [contenteditable]') !== null && !ctrlKey && !metaKey;
  return repeat && (key === 'Escape' || (key === 'Enter' && !writesLines));
}

/** Listens for as long as the page lives. */
export function listenToKeys(): void {
  /** Where the key that is held was pressed: what opens under it is not written into. */
  let pressedAt: EventTarget | null = null;
  document.addEventListener(
    'keydown',
    (event) => {
      const isElsewhere = event.target !== pressedAt && event.target instanceof Element && takesText(event.target);
      if (!event.repeat) {
        pressedAt = event.target;
      } else if (isHeldPress(event) || isElsewhere) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    { capture: true },
  );
  // The second key of two comes before whatever the page does with it alone.
  document.addEventListener(
    'keydown',
    (event) => {
      const both = `${before} ${strokeOf(event)}`;
      const isSecond =
        before !== '' && event.key.length === 1 && !takesText(event.target instanceof Element ? event.target : document.body);
      if (isSecond && !event.repeat && act(both, event)) {
        before = '';
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );
  document.addEventListener('keydown', (event) => {
    if (
      event.defaultPrevented ||
      event.repeat ||
      event.isComposing ||
      isForOthers(event) ||
      /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(event.key)
    ) {
      return;
    }
    const stroke = strokeOf(event);
    const element = event.target instanceof Element ? event.target : document.body;
    const isSingle = !hasCommand(event) && event.key.length === 1;
    if (isSingle && (!lettersAreOn() || takesText(element))) {
      before = '';
      return;
    }
    // A list that is open over the page closes first.
    if (stroke === 'Escape' && element.closest('[role="listbox"], [role="combobox"][aria-expanded="true"]') !== null) {
      return;
    }
    // Enter and Space press what has the focus.
    if (
      (stroke === 'Enter' || stroke === 'Space') &&
      element.closest('a[href], button, input, textarea, summary, [role="option"]') !== null
    ) {
      return;
    }
    before = isSingle && before === '' ? strokeCommand(stroke) : '';
    if (act(stroke, event)) {
      event.preventDefault();
      before = '';
    }
  });
}

function takesText(element: Element): boolean {
  const input = element.closest('input, textarea, [contenteditable], [role="menu"], [role="listbox"], [role="combobox"]');
  return input !== null && !(input instanceof HTMLInputElement && /^(?:checkbox|radio|button|submit|file)$/.test(input.type));
}

function act(stroke: string, event: KeyboardEvent): boolean {
  const meaning = strokeCommand(stroke);
  const dialog = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open]')].at(-1);
  const runOf = (last: boolean): boolean =>
    registered.some(({ read, inDialog, isLast }) => {
      const run = read()[meaning];
      return run !== undefined && isLast === last && inDialog === (dialog !== undefined) && run(event) !== false;
    });
  const isNamed = !stroke.includes(' ') && stroke !== 'Escape';
  return runOf(false) || (isNamed && press(stroke, dialog ?? document)) || runOf(true);
}

/** Presses the control in sight that names the stroke as its shortcut, or gives it the focus. */
function press(stroke: string, within: ParentNode): boolean {
  const wanted = nameShortcut(stroke);
  const found = [...within.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find(
    (one) => one.getAttribute('aria-keyshortcuts')?.toLowerCase() === wanted.toLowerCase() && one.checkVisibility(),
  );
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) {
    found.focus();
    found.select();
  } else if (found?.getAttribute('role') === 'combobox') {
    found.focus();
  } else {
    found?.click();
  }
  return found !== undefined;
}
