/** Number of removals by group. Each figure leads to its list. */
import { Link } from '@tanstack/react-router';
import { count } from '~/data/count.ts';
import type { ReplyOf } from '~/data/query.ts';
import { number } from '~/text/format.ts';
import { text } from '~/text/text.ts';
import { groupCount, groups } from './groups.ts';
import styles from './revocations.module.css';
import type { GroupId, RemovalSearch } from './route.tsx';

interface FiguresProps {
  readonly counts: ReplyOf<'RevocationService.Count'> | undefined;
  readonly current: GroupId;
  readonly search: RemovalSearch;
}

export function Figures({ counts, current, search }: FiguresProps) {
  const byState = new Map((counts?.list ?? []).map(({ state, total }) => [state, count(total)]));
  const { one: _one, ...rest } = search;
  return (
    <nav className={styles.figures} aria-label={text('revocations.byState')}>
      {groups.map(({ id, label, hint, kind }) => {
        const total = groupCount(id, byState);
        return (
          <Link
            key={id}
            to="/revocations"
            search={{ ...rest, state: id }}
            activeProps={{}}
            aria-current={id === current ? 'page' : undefined}
            data-kind={total > 0 ? kind : undefined}
          >
            <strong>{counts === undefined ? '–' : number(total)}</strong>
            <span>{text(label)}</span>
            <small>{text(hint)}</small>
          </Link>
        );
      })}
    </nav>
  );
}
