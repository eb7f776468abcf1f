/** What a link of the router needs for a path with a search, such as `/reviews?state=running`. */
import { defaultParseSearch } from '@tanstack/react-router';

export function linkTo(path: string): { to: string; search?: Record<string, unknown>; hash?: string } {
  const [beforeHash = '', hash] = path.split('#', 2);
  const [to = '', search] = beforeHash.split('?', 2);
  return {
    to,
    ...(search === undefined ? {} : { search: defaultParseSearch(`?${search}`) as Record<string, unknown> }),
    ...(hash === undefined ? {} : { hash }),
  };
}
