/** Keys as they stand on the keyboard: `c`, `mod+Enter`, `g h`. `mod` is Command where there is one, else Ctrl. Only a picture: the button says it. */
import type { ReactNode } from 'react';
import { text } from '~/text/text.ts';
import { Icon } from './icon.tsx';
import { shownKeys, useChosenKeys } from './key-map.ts';
import styles from './keys.module.css';

/** True where Command and Option are in the places of Ctrl and Alt. */
export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

const faces: Readonly<Record<string, () => ReactNode>> = {
  mod: () => (isApple ? <Icon name="command" size={12} /> : text('parts.keyControl')),
  shift: () => <Icon name="shift" size={12} />,
  enter: () => <Icon name="enter" size={12} />,
  backspace: () => <Icon name="backspace" size={12} />,
  escape: () => text('parts.keyEscape'),
  esc: () => text('parts.keyEscape'),
  space: () => text('parts.keySpace'),
  home: () => text('parts.keyHome'),
  end: () => text('parts.keyEnd'),
  arrowup: () => '↑',
  arrowdown: () => '↓',
};

interface KeysProps {
  readonly keys: string;
  /** On a filled button: the colour of its text. */
  readonly onFill?: boolean | undefined;
  /** Also where there is no keyboard to see. */
  readonly always?: boolean | undefined;
}

export function Keys({ keys, onFill = false, always = false }: KeysProps) {
  useChosenKeys();
  const each = shownKeys(keys)
    .split(' ')
    .flatMap((stroke) => (stroke === '+' ? ['+'] : stroke.split('+')));
  return (
    <span className={`${styles.keys} ${onFill ? styles.on : ''}`} data-always={always || undefined} aria-hidden="true">
      {each.map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of one stroke have no other identity
        <kbd key={index}>{faces[key.toLowerCase()]?.() ?? key.toUpperCase()}</kbd>
      ))}
    </span>
  );
}

/** The value of aria-keyshortcuts for usual keys; undefined for those of several strokes, which it cannot say. */
export function ariaShortcut(keys: string | undefined): string | undefined {
  return keys === undefined || keys.includes(' ') ? undefined : nameShortcut(shownKeys(keys));
}

/** A stroke as aria-keyshortcuts says it. */
export function nameShortcut(stroke: string): string {
  return stroke.replace('mod', isApple ? 'Meta' : 'Control').replace('shift', 'Shift');
}
