/** Removals through the connector of a source: whether it carries them out, how many an hour, and letting go what is over that. */
import { useQuery } from '@tanstack/react-query';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSaved } from '~/app/forms/use-saved.ts';
import { errorMessage, useSend } from '~/data/act.ts';
import { change, changeWhole } from '~/data/change.ts';
import { call, forget, queries, read, type ReplyOf } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Switch } from '~/parts/controls/switch.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { text } from '~/text/text.ts';
import { SavedNumber } from './saved-number.tsx';
import styles from './sources.module.css';

const [leastHourly, mostHourly] = [1, 1000];

type Removals = NonNullable<ReplyOf<'SourceRemovalService.Get'>['removals']>;

const removalsQuery = (id: string) => read('SourceRemovalService.Get', { id });
const settingsOf = ({ enabled = false, hourly = 0 }: Removals) => ({ enabled, hourly });

interface Props {
  readonly sourceId: string;
  readonly mayWrite: boolean;
}

export function ConnectorRemovals({ sourceId, mayWrite }: Props) {
  const query = useQuery(removalsQuery(sourceId));
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
  const isOn = removals.enabled === true;
  const onSaved = () => toast(text('source.saved'));
  const limit = useSaved({
    stored: { hourly: now },
    send: ({ wanted, asRead }) =>
      change(
        'SourceRemovalService.Set',
        { id: sourceId, enabled: isOn, hourly: Number(wanted.hourly) },
        { enabled: isOn, hourly: Number(asRead.hourly) },
      ),
    stale: ['SourceRemovalService.Get'],
    onSaved,
  });
  // Another limit that somebody set meanwhile stays.
  const turn = useSend({
    mutationFn: (enabled: boolean) =>
      changeWhole('SourceRemovalService.Set', {
        address: { id: sourceId },
        before: settingsOf(removals),
        after: { ...settingsOf(removals), enabled },
        readNow: async () => settingsOf((await queries.fetchQuery({ ...removalsQuery(sourceId), staleTime: 0 })).removals ?? {}),
      }),
    onSuccess: onSaved,
    onSettled: () => forget('SourceRemovalService.Get'),
  });
  const cannot = !isOn && (removals.resourceTypes ?? []).length === 0 ? text('connector.cannotRemove') : undefined;
  return (
    <>
      <Switch
        label={text('connector.removalsSwitch')}
        checked={isOn}
        disabledReason={cannot}
        onChange={(enabled) => turn.mutate(enabled)}
      />
      <SavedNumber
        label={text('connector.hourly')}
        min={leastHourly}
        max={mostHourly}
        value={limit.draft.hourly}
        saved={now}
        onChange={(hourly) => limit.set({ hourly })}
        wrong={text('connector.hourlyWrong')}
        save={{ isPending: limit.isBusy, error: limit.error }}
        onSave={limit.save}
      />
      {limit.changed === undefined ? null : <ChangedMeanwhile {...limit.changed} />}
      {turn.isError ? <Note kind="fault">{errorMessage(turn.error)}</Note> : null}
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
