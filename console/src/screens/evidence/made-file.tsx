/** A file that was made of a review, or is being made: its link, when it was asked for, and its hashes. */
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { exactTime } from '~/text/format.ts';
import styles from './evidence.module.css';

interface MadeFileProps {
  readonly icon: IconName;
  /** The link's words. */
  readonly name: string;
  /** Address of the file; absent where there is none yet. */
  readonly url: string | undefined;
  /** Words in the place of the link. */
  readonly state: string | undefined;
  readonly createdAt: string | undefined;
  readonly hashes: Readonly<Record<string, string>> | undefined;
}

export function MadeFile({ icon, name, url, state, createdAt, hashes }: MadeFileProps) {
  return (
    <li>
      <Icon name={icon} />
      <div>
        {url ? (
          <a href={url} download>
            {name}
          </a>
        ) : (
          <span>{state}</span>
        )}
        <small>{exactTime(createdAt ?? '')}</small>
        {Object.entries(hashes ?? {}).map(([algorithm, hash]) => (
          <code key={algorithm} className={styles.hash}>
            {algorithm} {hash}
          </code>
        ))}
      </div>
    </li>
  );
}
