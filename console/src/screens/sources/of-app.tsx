/** What a source is of: people, or an app. */
import { useQuery } from '@tanstack/react-query';
import type { Source } from '../../data/inventory.ts';
import { read } from '../../data/query.ts';
import { Name } from '../../parts/name.tsx';
import { text } from '../../text/text.ts';

export function OfApp({ source }: { source: Source }) {
  const id = source.appId ?? '';
  const { data } = useQuery({ ...read('AppService.Get', { id }), enabled: id !== '' });
  return id === '' ? text('source.people') : <Name>{data?.app?.displayName}</Name>;
}
