/** Risk of a right, by the level that the tenant gave it. */
import { useQuery } from '@tanstack/react-query';
import { riskLevels } from '~/data/inventory/inventory.ts';
import { Dot } from '~/parts/words/dot.tsx';
import { Name } from '~/parts/words/name.tsx';

/** The colour of a level follows its name, since levels have no order of their own. */
function kindOf(name: string): 'no' | 'warn' | 'plain' {
  return /high|critical|hoch|kritisch/i.test(name) ? 'no' : /medium|moderate|mittel/i.test(name) ? 'warn' : 'plain';
}

export function Risk({ id }: { id: string | undefined }) {
  const level = useQuery(riskLevels).data?.list?.find((one) => one.id === id)?.value;
  return level ? (
    <Dot kind={kindOf(level)}>
      <Name>{level}</Name>
    </Dot>
  ) : (
    '–'
  );
}
