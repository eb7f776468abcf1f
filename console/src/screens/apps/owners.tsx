/** The owners of something: the first by name, further ones as a number. */
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { Initials } from '~/parts/words/initials.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';
import styles from './apps.module.css';

export function Owners({ people = [] }: { people: readonly Person[] | undefined }) {
  const [first] = people;
  return first === undefined ? (
    <span className={styles.quiet}>{text('apps.noOwner')}</span>
  ) : (
    <span className={styles.owner}>
      <Initials name={personName(first)} />
      <Name>{personName(first)}</Name>
      {people.length > 1 ? <span className={styles.quiet}>{text('apps.moreOwners', { count: people.length - 1 })}</span> : null}
    </span>
  );
}
