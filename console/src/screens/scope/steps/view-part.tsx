/** View of reviewers: how their list opens, which columns it shows, and which attributes of the accounts stand beside each item. */
import { useQuery } from '@tanstack/react-query';
import { fieldViolation } from '~/data/act.ts';
import { chosenColumns, isShown, type ShownColumn, shownColumns, withColumns } from '~/data/queue/columns.ts';
import { viewNames } from '~/data/reviews/choices.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { read } from '~/data/query.ts';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import { text } from '~/text/text.ts';
import { AttributesOfAccounts } from '~/screens/scope/who/attributes-of-accounts.tsx';
import styles from '~/screens/scope/edit.module.css';
import type { PartProps } from '~/screens/scope/props.ts';

export function ViewPart({ draft: { review, change, error } }: PartProps) {
  const chosen = chosenColumns(review);
  const builtins = chosen.flatMap(({ builtin }) => (builtin === undefined ? [] : [String(builtin)]));
  const toggle = (column: ShownColumn, isOn: boolean) =>
    change(withColumns(isOn ? [...chosen, { builtin: column }] : chosen.filter(({ builtin }) => builtin !== column)));
  const up = (column: string) => {
    const place = chosen.findIndex(({ builtin }) => builtin === column);
    const before = chosen[place - 1];
    const own = chosen[place];
    if (before !== undefined && own !== undefined) {
      change(withColumns([...chosen.slice(0, place - 1), own, before, ...chosen.slice(place + 1)]));
    }
  };
  const apps = useQuery(read('AppService.Search', { pageSize: 100 })).data?.list ?? [];
  const wrong = fieldViolation(error, 'columnConfig', 'orderedColumns', 'bindings', 'defaultView');
  const all = [...builtins.filter(isShown), ...(Object.keys(shownColumns) as ShownColumn[]).filter((one) => !builtins.includes(one))];
  return (
    <div className={styles.fields}>
      <Select
        label={text('scope.defaultView')}
        hint={text('scope.defaultViewHint')}
        value={review.defaultView ?? 'ACCESS_REVIEW_VIEW_TYPE_UNSPECIFIED'}
        onChange={(defaultView) => change({ defaultView })}
        options={[{ value: 'ACCESS_REVIEW_VIEW_TYPE_UNSPECIFIED', label: text('scope.viewUsual') }, ...choicesOf(viewNames)]}
      />
      <fieldset className={styles.group}>
        <legend>{text('scope.columns')}</legend>
        <p className={styles.quiet}>{text('scope.columnsHint')}</p>
        <div className={styles.columns}>
          {all.map((column) => {
            const label = text(shownColumns[column]);
            const place = builtins.indexOf(column);
            return (
              <div key={column} className={styles.column}>
                <Checkbox label={label} checked={place >= 0} onChange={(isOn) => toggle(column, isOn)} />
                {place > 0 ? (
                  <Button variant="quiet" icon="up" aria-label={text('scope.columnUp', { name: label })} onClick={() => up(column)} />
                ) : null}
              </div>
            );
          })}
        </div>
      </fieldset>
      <AttributesOfAccounts review={review} apps={apps} onChange={change} />
      {wrong === undefined ? null : <Note kind="fault">{wrong}</Note>}
    </div>
  );
}
