/** Access that breaks a rule: of all rules that are on, or of some. */
import { useQuery } from '@tanstack/react-query';
import { call, read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Segments } from '~/parts/controls/segments.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { text } from '~/text/text.ts';
import { ChipPicker } from '~/screens/scope/chip-picker.tsx';
import type { ClauseProps } from '~/screens/scope/props.ts';

async function searchRules(query: string, signal: AbortSignal) {
  const reply = await call('ConflictMonitorService.List', { query, pageSize: 20 }, { signal });
  return (reply.list ?? []).map((one) => ({ id: one.id ?? '', label: one.displayName ?? '', hint: one.description ?? '' }));
}

export function ConflictRules({ draft: { review, change }, lists: { lists, store } }: ClauseProps) {
  const { allAccessConflicts: _all, specificAccessConflicts, ...others } = review.scopeV2 ?? {};
  const mayExempt = useMay('policies.write');
  const rules = useQuery(read('ConflictMonitorService.List', { pageSize: 100 }));
  const names = new Map((rules.data?.list ?? []).map((one) => [one.id, one.displayName ?? '']));
  const chosen = lists.monitorIds ?? [];
  return (
    <>
      <Segments
        label={text('scope.askAbout')}
        value={specificAccessConflicts === undefined ? 'all' : 'some'}
        onChange={(next) =>
          change({ scopeV2: { ...others, ...(next === 'all' ? { allAccessConflicts: {} } : { specificAccessConflicts: {} }) } })
        }
        options={[
          { value: 'all', label: text('scope.allRules') },
          { value: 'some', label: text('scope.someRules') },
        ]}
      />
      {specificAccessConflicts === undefined ? null : (
        <ChipPicker
          label={text('scope.rules')}
          addLabel={text('scope.addRule')}
          chosen={chosen.map((id) => ({ id, label: names.get(id) ?? '' }))}
          search={searchRules}
          onChange={(next) => store({ monitorIds: next.map(({ id }) => id) })}
        />
      )}
      {mayExempt || review.exemptCertifiedAccessConflicts === true ? (
        <Switch
          label={text('scope.exemptCertified')}
          hint={text('scope.exemptCertifiedHint')}
          checked={review.exemptCertifiedAccessConflicts === true}
          onChange={(exemptCertifiedAccessConflicts) => change({ exemptCertifiedAccessConflicts })}
        />
      ) : null}
    </>
  );
}
