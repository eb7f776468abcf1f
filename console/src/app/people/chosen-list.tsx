/** Those chosen, by their names, each with its removal. */
import { Button } from '~/parts/controls/button.tsx';
import { Name } from '~/parts/words/name.tsx';
import { text } from '~/text/text.ts';

interface ChosenListProps {
  readonly ids: readonly string[];
  /** Names by id, as they are known; the first that has one counts. */
  readonly names: readonly ReadonlyMap<string, string>[];
  readonly onRemove: (id: string) => void;
}

export function ChosenList({ ids, names, onRemove }: ChosenListProps) {
  return ids.length === 0 ? null : (
    <ul>
      {ids.map((id) => {
        const name = names.map((known) => known.get(id)).find(Boolean) ?? id;
        return (
          <li key={id}>
            <Name>{name}</Name>
            <Button variant="quiet" icon="cross" aria-label={text('policies.removePerson', { name })} onClick={() => onRemove(id)} />
          </li>
        );
      })}
    </ul>
  );
}
