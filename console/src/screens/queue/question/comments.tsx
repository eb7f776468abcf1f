/** Discussion of a task. It is asked for only where somebody said something. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import { Failed } from '~/parts/states/failed.tsx';
import { Initials } from '~/parts/words/initials.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from './detail.module.css';

export function Comments({ taskId }: { taskId: string }) {
  const query = useQuery(read('TaskService.List', { taskId, commentsOnly: true, newestFirst: true, pageSize: 50 }));
  if (query.error && query.data === undefined) {
    return <Failed error={query.error} retry={() => void query.refetch()} />;
  }
  return (
    <section aria-label={text('queue.comments')}>
      <ul className={styles.comments}>
        {(query.data?.list ?? []).map((one) => {
          const name = one.metadata?.user?.displayName || one.metadata?.user?.email || text('queue.somebody');
          return (
            <li key={one.id}>
              <Initials name={name} />
              <div>
                <strong>{name}</strong> <small>{<When at={one.created} />}</small>
                <p>{one.comment?.comment ?? ''}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
