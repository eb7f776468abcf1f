/** Removals through the connector of a source: whether it carries them out, how many an hour, and letting go what is over that. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, useSend } from '~/data/act.ts';
import { call, forget, read, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { text } from '~/text/text.ts';
import { isWithin, SavedNumber } from './saved-number.tsx';
import styles from './sources.module.css';

const [leastHourly, mostHourly] = [1, 1000];

type Removals = NonNullable<ReplyOf<'SourceRemovalService.Get'>['removals']>;

interface Props {
  readonly sourceId: string;
  readonly mayWrite: boolean;
}

export function ConnectorRemovals({ sourceId, mayWrite }: Props) {
  const query = useQuery(read('SourceRemovalService.Get', { id: sourceId }));
  return (
    <section className={styles.part}>
      <h2>{text('connector.removals')}</h2>
      <p className={styles.quiet}>{text('connector.removalsHint')}</p>
      <Load query={query}>
        {({ removals = {} }) => (
          <>
            {mayWrite ? <Settings sourceId={sourceId} removals={removals} /> : null}
            <Facts rows={factsOf(removals)} />
            <Limited sourceId={sourceId} count={removals.limited ?? 0} mayWrite={mayWrite} />
          </>
        )}
      </Load>
    </section>
  );
}

function factsOf({ enabled, resourceTypes = [], underWay = 0, carriedOut = 0, failed = 0, leftToPeople = 0 }: Removals) {
  return [
    { term: text('connector.removalsState'), children: enabled === true ? text('connector.removalsOn') : text('connector.removalsOff') },
    { term: text('connector.removalTypes'), children: resourceTypes.join(', ') || text('connector.noRemovalTypes') },
    { term: text('connector.underWay'), children: String(underWay) },
    { term: text('connector.carriedOut'), children: String(carriedOut) },
    { term: text('connector.removalsFailed'), children: String(failed) },
    { term: text('connector.leftToPeople'), children: String(leftToPeople) },
  ];
}

function Settings({ sourceId, removals }: { sourceId: string; removals: Removals }) {
  const now = String(removals.hourly ?? 0);
  const [hourly, setHourly] = useState(now);
  const isNumber = isWithin(hourly, leastHourly, mostHourly);
  const save = useSend({
    mutationFn: (enabled: boolean) => call('SourceRemovalService.Set', { id: sourceId, enabled, hourly: Number(isNumber ? hourly : now) }),
    onSuccess: () => toast(text('source.saved')),
    onSettled: () => forget('SourceRemovalService.Get'),
  });
  const isOn = removals.enabled === true;
  const cannot = !isOn && (removals.resourceTypes ?? []).length === 0 ? text('connector.cannotRemove') : undefined;
  return (
    <>
      <Switch
        label={text('connector.removalsSwitch')}
        checked={isOn}
        disabledReason={cannot}
        onChange={(enabled) => save.mutate(enabled)}
      />
      <SavedNumber
        label={text('connector.hourly')}
        min={leastHourly}
        max={mostHourly}
        value={hourly}
        saved={now}
        onChange={setHourly}
        wrong={text('connector.hourlyWrong')}
        save={save}
        onSave={() => save.mutate(isOn)}
      />
    </>
  );
}

/** Removals over the limits: somebody lets them go who denied none of them. */
function Limited({ sourceId, count, mayWrite }: Props & { readonly count: number }) {
  const release = useSend({
    mutationFn: () => call('SourceRemovalService.Release', { id: sourceId }),
    onSuccess: () => toast(text('connector.released')),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => forget('SourceRemovalService.Get'),
  });
  return count === 0 ? null : (
    <>
      <Note kind="warn">{text('connector.limited', { count })}</Note>
      {mayWrite ? (
        <div className={styles.row}>
          <Button variant="primary" busy={release.isPending} onClick={() => release.mutate()}>
            {text('connector.release')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
