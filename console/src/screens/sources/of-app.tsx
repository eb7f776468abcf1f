/** Subject of a source: people, or an app. */
import { useQuery } from '@tanstack/react-query';
import type { Source } from '~/data/inventory/inventory.ts';
import { read } from '~/data/query.ts';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';

export function OfApp({ source }: { source: Source }) {
  const id = source.appId ?? '';
  const { data } = useQuery({ ...read('AppService.Get', { id }), enabled: id !== '' });
  return id === '' ? text('source.people') : <Name>{data?.app?.displayName}</Name>;
}
