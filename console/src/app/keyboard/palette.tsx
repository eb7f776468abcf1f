/** One place to search, go and do: pages, and what the server finds, from the keyboard alone. */
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { searchAll } from '~/data/search.ts';
import { useSession } from '~/data/session/session.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { Keys } from '~/parts/words/keys.tsx';
import { type Loaded, useLatest } from '~/parts/fields/use-latest.ts';
import { text } from '~/text/text.ts';
import { type Entry, paletteEntries } from './palette-entries.ts';
import styles from './palette.module.css';

export function Palette({ onClose }: { onClose: () => void }) {
  const [written, setWritten] = useState('');
  const [wanted, setActive] = useState(0);
  const session = useSession();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const mayRead = session?.permissions.has('inventory.read') ?? false;
  const query = written.trim();
  const found = useLatest(query.length < 2 ? undefined : query, (words, signal) => searchAll(words, mayRead, signal));
  const entries = paletteEntries({ query, session, found: found.value ?? [] });
  const active = Math.max(0, Math.min(wanted, entries.length - 1));
  const run = (entry: Entry | undefined): void => {
    if (entry !== undefined) {
      onClose();
      void navigate(entry.to);
    }
  };
  useEffect(() => {
    list.current?.querySelector(`#palette-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: entries.length - 1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setActive((active + step) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[active]);
    }
  };
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Viewport className={styles.around}>
          <Dialog.Popup className={styles.palette} aria-label={text('palette.label')}>
            <div className={styles.head}>
              <Icon name="search" />
              <input
                role="combobox"
                aria-label={text('palette.label')}
                aria-expanded={entries.length > 0}
                aria-controls="palette-list"
                aria-activedescendant={entries.length > 0 ? `palette-${active}` : undefined}
                autoComplete="off"
                spellCheck={false}
                placeholder={text('palette.placeholder')}
                value={written}
                onChange={(event) => {
                  setWritten(event.target.value);
                  setActive(0);
                }}
                onKeyDown={onKeyDown}
              />
            </div>
            <div ref={list} className={styles.results}>
              <div id="palette-list" role="listbox" aria-label={text('palette.results')} className={styles.list}>
                {entries.map((entry, index) => (
                  <Row
                    key={entry.id}
                    entry={entry}
                    index={index}
                    isFirst={entry.group !== entries[index - 1]?.group}
                    isActive={index === active}
                    onPoint={() => setActive(index)}
                    onPress={() => run(entry)}
                  />
                ))}
              </div>
              <p role="status" className={entries.length === 0 ? styles.said : undefined}>
                {entries.length === 0 ? saidOf(found.state) : null}
              </p>
            </div>
            <div className={styles.foot} aria-hidden="true">
              <span>
                <Keys keys="ArrowUp ArrowDown" /> {text('palette.choose')} <Keys keys="Enter" /> {text('palette.open')}{' '}
                <Keys keys="Escape" /> {text('palette.close')}
              </span>
              {found.value === undefined ? null : <span>{text('palette.found', { count: found.value.length, ms: found.ms })}</span>}
            </div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function saidOf(state: Loaded<unknown>['state']): string {
  return state === 'coming' ? text('parts.loading') : state === 'failed' ? text('parts.searchFailed') : text('parts.nothingFound');
}

interface RowProps {
  readonly entry: Entry;
  readonly index: number;
  readonly isFirst: boolean;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onPress: () => void;
}

function Row({ entry, index, isFirst, isActive, onPoint, onPress }: RowProps) {
  return (
    <>
      {isFirst ? (
        <div role="presentation" className={styles.group}>
          {text(`palette.${entry.group}`)}
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active entry */}
      <div
        id={`palette-${index}`}
        role="option"
        aria-selected={isActive}
        className={styles.option}
        onPointerMove={onPoint}
        onClick={onPress}
      >
        {entry.icon === 'initials' ? <Initials name={entry.label} size={20} /> : <Icon name={entry.icon} />}
        <span>{entry.label}</span>
        <small>{entry.hint}</small>
        {entry.keys === undefined ? null : <Keys keys={entry.keys} />}
      </div>
    </>
  );
}
