/** Note on the page of somebody who was merged: who they are now. Of anybody else, what is suspended. */
import { useQuery } from '@tanstack/react-query';
import { PersonLink } from '~/app/people/person-link.tsx';
import type { Person } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './people.module.css';
import { Suspended } from './suspended.tsx';

export function MergedInto({ person }: { person: Person }) {
  const mayRead = useMay('inventory.read');
  const asks = mayRead && person.status === 'DELETED';
  const query = useQuery({ ...read('PersonWordsService.ListFormer', { userId: person.id ?? '' }), enabled: asks });
  const { mergedIntoId = '', mergedIntoDisplayName = '' } = query.data ?? {};
  if (asks && query.isPending) {
    return null;
  }
  return mergedIntoId === '' ? (
    <Suspended person={person} />
  ) : (
    <div className={styles.suspended}>
      <Note>
        {text('merge.isNow')} <PersonLink person={{ id: mergedIntoId, displayName: mergedIntoDisplayName || mergedIntoId }} />
      </Note>
    </div>
  );
}
