/** Rights that nobody wrote down in words, of all apps: whoever is asked about one has only its technical name. */
import { Undescribed } from '~/app/lists/undescribed.tsx';

export function NoDescription() {
  return <Undescribed />;
}
