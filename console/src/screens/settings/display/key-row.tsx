/** One command and its key: the button waits for the key that is pressed next, Escape leaves it as it was. */
import { strokeOf } from '~/app/keyboard/keyboard.ts';
import { type KeyCommand, commandKey, usualKeys } from '~/parts/words/key-map.ts';
import { Keys } from '~/parts/words/keys.tsx';
import { text } from '~/text/text.ts';
import { keyNames } from './key-names.ts';
import styles from './keys.module.css';

interface KeyRowProps {
  readonly command: KeyCommand;
  readonly isWaiting: boolean;
  /** Reason the last key was not taken; empty where none was refused. */
  readonly problem: string;
  readonly onWait: (command: KeyCommand | undefined) => void;
  readonly onChoose: (command: KeyCommand, stroke: string) => void;
  readonly onReset: () => void;
}

export function KeyRow({ command, isWaiting, problem, onWait, onChoose, onReset }: KeyRowProps) {
  const name = text(keyNames[command]);
  const key = commandKey(command);
  return (
    <li>
      <div className={styles.row}>
        <span>{name}</span>
        {key === usualKeys[command] ? null : (
          <button type="button" className={styles.reset} aria-label={text('display.resetKey', { name })} onClick={onReset}>
            {text('display.reset')}
          </button>
        )}
        <button
          type="button"
          className={styles.key}
          data-waiting={isWaiting || undefined}
          aria-label={isWaiting ? text('display.keyPress', { name }) : text('display.changeKey', { name, key: sayKey(key) })}
          aria-describedby={problem === '' ? undefined : `key-${command}`}
          onClick={() => onWait(isWaiting ? undefined : command)}
          onBlur={() => isWaiting && onWait(undefined)}
          onKeyDown={(event) => {
            const isHeld = /^(?:Shift|Control|Meta|Alt|AltGraph|CapsLock)$/.test(event.key);
            if (!isWaiting || isHeld || event.key === 'Tab') {
              return;
            }
            event.preventDefault();
            event.stopPropagation();
            if (event.key === 'Escape') {
              onWait(undefined);
            } else {
              onChoose(command, strokeOf(event));
            }
          }}
        >
          {isWaiting ? text('display.pressKey') : <Keys keys={usualKeys[command]} always />}
        </button>
      </div>
      {problem === '' ? null : (
        <p id={`key-${command}`} className={styles.problem}>
          {problem}
        </p>
      )}
    </li>
  );
}

/** A stroke as it is read out. */
function sayKey(stroke: string): string {
  return stroke.startsWith('shift+') && stroke.length > 6
    ? text('display.withShift', { key: stroke.slice(6).toUpperCase() })
    : stroke.toUpperCase();
}
