/** Every key of the console, and the switch that turns single letters off. */
import { setLetters, useLettersOn } from '~/data/session/display.ts';
import { savePreferences } from '~/data/session/preferences.ts';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Keys } from '~/parts/words/keys.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './key-help.module.css';

const groups: readonly (readonly [PlainTextKey, readonly (readonly [PlainTextKey, string])[]])[] = [
  [
    'keys.move',
    [
      ['keys.next', 'j k'],
      ['keys.nextOpen', 'n'],
      ['keys.group', '[ ] , .'],
      ['keys.ends', 'Home End'],
      ['keys.question', 'Enter'],
      ['keys.back', 'Escape'],
    ],
  ],
  [
    'keys.decide',
    [
      ['keys.certify', 'c'],
      ['keys.deny', 'd'],
      ['keys.until', 't'],
      ['keys.reassign', 'r'],
      ['keys.comment', 'm'],
      ['keys.undo', 'z'],
      ['keys.undoThis', 'Backspace'],
    ],
  ],
  [
    'keys.several',
    [
      ['keys.select', 'x'],
      ['keys.range', 'shift+j shift+k'],
      ['keys.section', 'shift+x'],
      ['keys.clear', 'Escape'],
      ['keys.thenDecide', 'c d r'],
    ],
  ],
  [
    'keys.look',
    [
      ['keys.filter', '/'],
      ['keys.sort', 's'],
      ['keys.grouping', '1 2 3 4'],
      ['keys.left', 'o'],
      ['keys.why', 'w'],
    ],
  ],
  [
    'keys.go',
    [
      ['keys.palette', 'mod+k'],
      ['nav.home', 'g h'],
      ['nav.apps', 'g a'],
      ['nav.people', 'g p'],
      ['nav.revocations', 'g v'],
      ['nav.reviews', 'g r'],
    ],
  ],
  [
    'keys.finish',
    [
      ['keys.submit', 'mod+Enter'],
      ['keys.help', '?'],
    ],
  ],
];

/** Here at once, and for every browser of the person; where the server does not take it, it holds in this one. */
function turn(isOn: boolean): void {
  setLetters(isOn);
  void savePreferences({ letterKeysOff: !isOn }).catch(() => undefined);
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const isOn = useLettersOn();
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={text('keys.title')} wide="most">
      <Switch label={text('keys.letters')} checked={isOn} onChange={turn} />
      <div className={styles.groups}>
        {groups.map(([title, rows]) => (
          <section key={title}>
            <h3>{text(title)}</h3>
            {rows.map(([label, keys]) => (
              <div key={label} className={styles.row}>
                <span>{text(label)}</span>
                <Keys keys={keys} always />
              </div>
            ))}
          </section>
        ))}
      </div>
      <p className={styles.small}>{text('keys.when')}</p>
    </Dialog>
  );
}
