/** Access of a person now and before, as lines over time, with what reviews decided on each. */
import { useState } from 'react';
import { usePersonGrants, withoutDerived } from '~/data/inventory/person-grants.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { LineLegend } from '~/parts/drawings/line-legend.tsx';
import { Lifelines } from '~/parts/drawings/lifelines.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Segments } from '~/parts/controls/segments.tsx';
import { text } from '~/text/text.ts';
import { linesOf } from './lines.ts';
import styles from './people.module.css';
import { useMoves } from './use-moves.ts';

const yearMs = 365 * 86_400_000;

export function AccessOverTime({ userId }: { userId: string }) {
  const [span, setSpan] = useState<'year' | 'all'>('all');
  const [withEnded, setWithEnded] = useState(true);
  const { query, grants } = usePersonGrants(userId, true);
  const shown = withoutDerived(grants.filter((grant) => withEnded || grant.endedAt === undefined));
  const moves = useMoves(userId);
  const now = new Date();
  const { groups, first } = linesOf(shown);
  const from = span === 'year' ? now.getTime() - yearMs : Math.min(first, now.getTime() - yearMs / 12);
  return (
    <Load query={query}>
      {() =>
        grants.length === 0 ? (
          <Empty icon="key" title={text('people.noAccess')} />
        ) : (
          <>
            <div className={styles.tools}>
              <Segments
                label={text('people.span')}
                value={span}
                onChange={setSpan}
                options={[
                  { value: 'year', label: text('people.span.year') },
                  { value: 'all', label: text('people.span.all') },
                ]}
              />
              <Checkbox label={text('people.withEnded')} checked={withEnded} onChange={setWithEnded} />
              <LineLegend />
            </div>
            <div className={styles.pad}>
              <Lifelines label={text('people.tab.time')} from={from} to={now.getTime()} groups={groups} moments={moves} />
              <Pages query={query} />
            </div>
          </>
        )
      }
    </Load>
  );
}
