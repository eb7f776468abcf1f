/** The keys of commands: each can be another, none twice. A key is chosen by pressing it. */
import { useState } from 'react';
import { announce, announceError } from '~/app/announce.ts';
import { type ChosenKeys, keyCommands, type KeyCommand, refuseKey, useChosenKeys, usualKeys } from '~/parts/words/key-map.ts';
import { Button } from '~/parts/controls/button.tsx';
import { text } from '~/text/text.ts';
import { KeyRow } from './key-row.tsx';
import { keyGroups, keyNames } from './key-names.ts';
import styles from './keys.module.css';

interface OwnKeysProps {
  /** Those that differ from the usual ones, also of commands that are not known here. */
  readonly chosen: ChosenKeys;
  readonly onChange: (chosen: Readonly<Record<string, string>>) => void;
}

/** Without what is as usual. */
function tidy(chosen: ChosenKeys): Record<string, string> {
  const isOwn = ([command, key]: readonly [string, string | undefined]): boolean =>
    key !== undefined && key !== '' && key !== (usualKeys as Readonly<Record<string, string>>)[command];
  return Object.fromEntries(Object.entries(chosen).filter(isOwn)) as Record<string, string>;
}

export function OwnKeys({ chosen, onChange }: OwnKeysProps) {
  useChosenKeys();
  const [waiting, setWaiting] = useState<KeyCommand>();
  const [problem, setProblem] = useState<{ readonly command: KeyCommand; readonly words: string }>();
  const wait = (command: KeyCommand | undefined) => {
    setWaiting(command);
    setProblem(undefined);
    if (command !== undefined) {
      announce(text('display.keyPress', { name: text(keyNames[command]) }));
    }
  };
  const choose = (command: KeyCommand, stroke: string) => {
    const refused = refuseKey(command, stroke);
    if (refused !== undefined) {
      const words = refused.why === 'taken' ? text('display.keyTaken', { name: text(keyNames[refused.by]) }) : text('display.keyNotSingle');
      setProblem({ command, words });
      announceError(words);
      return;
    }
    wait(undefined);
    onChange(tidy({ ...chosen, [command]: stroke }));
    announce(text('display.keyChanged', { name: text(keyNames[command]) }));
  };
  const isChanged = keyCommands.some((command) => tidy(chosen)[command] !== undefined);
  return (
    <section className={styles.keys} aria-labelledby="own-keys">
      <h3 id="own-keys">{text('display.keys')}</h3>
      <p className={styles.intro}>{text('display.keysIntro')}</p>
      <div className={styles.groups}>
        {keyGroups.map(([title, commands]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
          <div key={title} role="group" aria-label={text(title)}>
            <h4>{text(title)}</h4>
            <ul>
              {commands.map((command) => (
                <KeyRow
                  key={command}
                  command={command}
                  isWaiting={waiting === command}
                  problem={problem?.command === command ? problem.words : ''}
                  onWait={wait}
                  onChoose={choose}
                  onReset={() => choose(command, usualKeys[command])}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
      <p>
        <Button
          disabledReason={isChanged ? undefined : text('display.keysAsUsual')}
          onClick={() => {
            wait(undefined);
            onChange({});
            announce(text('display.keysReset'));
          }}
        >
          {text('display.resetKeys')}
        </Button>
      </p>
    </section>
  );
}
