/** The moments at which a person came to another department or title, for the lines of what they could do. */
import { useQuery } from '@tanstack/react-query';
import { read } from '~/data/query.ts';
import type { LineMoment } from '~/parts/drawings/lifelines.tsx';

const moving = ['PERSON_FACT_DEPARTMENT', 'PERSON_FACT_JOB_TITLE'];

export function useMoves(userId: string): readonly LineMoment[] {
  const { data } = useQuery(read('PersonFactService.List', { userId, pageSize: 100 }));
  return (data?.list ?? []).flatMap(({ changedAt = '', changes = [] }) => {
    const what = changes.filter(({ fact = '', after = '' }) => moving.includes(fact) && after !== '').map(({ after = '' }) => after);
    return what.length === 0 ? [] : [{ at: Date.parse(changedAt), label: what.join(', ') }];
  });
}
