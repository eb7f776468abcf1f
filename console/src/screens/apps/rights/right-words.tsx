/** Words for a right, opened by a button; what it is called beneath. Its words are edited in place where that is permitted. */
import { useState } from 'react';
import { WordsField } from '~/app/lists/words-field.tsx';
import { technicalName, rightWords } from '~/data/inventory/inventory.ts';
import { forget } from '~/data/query.ts';
import { Icon } from '~/parts/words/icon.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/apps/apps.module.css';
import type { RightRow } from './entitlements.tsx';

export function RightWords({ row: { right, resource, app, mayEdit }, onOpen }: { row: RightRow; onOpen: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const words = rightWords(right);
  const name = technicalName(right, resource, app);
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
            <Name>{words.isDescribed ? words.title : name}</Name>
          </button>
        )}
        <small>{words.isDescribed ? <Name>{name}</Name> : <span className={styles.warn}>{text('apps.noDescription')}</span>}</small>
      </span>
      {mayEdit && !isEditing ? (
        <button type="button" className={styles.pen} onClick={() => setEditing(true)} aria-label={text('apps.editWords', { name })}>
          <Icon name="pen" />
        </button>
      ) : null}
    </span>
  );
}
