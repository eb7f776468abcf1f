/** What a right allows, opened by a button; what it is called beneath. Its words are edited in place where that is permitted. */
import { useState } from 'react';
import { WordsField } from '../../app/words-field.tsx';
import { technicalName, wordsOf } from '../../data/inventory.ts';
import { forget } from '../../data/query.ts';
import { Icon } from '../../parts/icon.tsx';
import { Name } from '../../parts/name.tsx';
import { text } from '../../text/text.ts';
import styles from './apps.module.css';
import type { RightRow } from './entitlements.tsx';

export function RightWords({ row: { right, resource, mayEdit }, onOpen }: { row: RightRow; onOpen: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const words = wordsOf(right);
  const name = technicalName(right, resource);
  const onSaved = async (): Promise<void> => {
    await forget('AppEntitlementSearchService.Search', 'GrantService.List', 'IdentityService.ListUndescribedEntitlements');
    setEditing(false);
  };
  return (
    <span className={styles.words}>
      <span className={styles.two}>
        {isEditing ? (
          <WordsField
            appId={right.appId ?? ''}
            id={right.id ?? ''}
            name={name}
            value={right.description ?? ''}
            autoFocus
            onSaved={() => void onSaved()}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <button type="button" className={styles.open} onClick={onOpen}>
            {words.isDescribed ? <Name>{words.title}</Name> : <span className={styles.warn}>{text('apps.noDescription')}</span>}
          </button>
        )}
        <small>
          <Name>{name}</Name>
        </small>
      </span>
      {mayEdit && !isEditing ? (
        <button type="button" className={styles.pen} onClick={() => setEditing(true)} aria-label={text('apps.editWords', { name })}>
          <Icon name="pen" />
        </button>
      ) : null}
    </span>
  );
}
