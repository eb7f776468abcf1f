/** The name of a person, which leads to their page for whoever may read it. */
import { Link } from '@tanstack/react-router';
import { personName, type Person } from '~/data/inventory/inventory.ts';
import { useMay } from '~/data/session/session.ts';
import { Name } from '~/parts/words/name.tsx';

export function PersonLink({ person }: { person: Person }) {
  const name = <Name>{personName(person)}</Name>;
  return useMay('inventory.read') ? (
    <Link to="/people/$person/$tab" params={{ person: person.id ?? '', tab: 'now' }}>
      {name}
    </Link>
  ) : (
    name
  );
}
