/** By what the accounts of a source are matched to people: the first rule that finds anybody decides. */
import { useQuery } from '@tanstack/react-query';
import { announce } from '~/app/announce.ts';
import { ChangedMeanwhile } from '~/app/forms/changed-meanwhile.tsx';
import { useSaved } from '~/app/forms/use-saved.ts';
import { change } from '~/data/change.ts';
import { count, type Source } from '~/data/inventory/inventory.ts';
import { ClientError, read } from '~/data/query.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './sources.module.css';

const rules = ['MATCH_RULE_EMAIL', 'MATCH_RULE_EMPLOYEE_ID', 'MATCH_RULE_USERNAME'] as const;
type Rule = (typeof rules)[number];

const words: Readonly<Record<Rule, PlainTextKey>> = {
  MATCH_RULE_EMAIL: 'source.match.email',
  MATCH_RULE_EMPLOYEE_ID: 'source.match.employeeId',
  MATCH_RULE_USERNAME: 'source.match.username',
};

export function MatchOrder({ source, mayWrite }: { source: Source; mayWrite: boolean }) {
  const query = useQuery(read('MatchOrderService.GetOrder', { connectorId: source.id ?? '' }));
  return (
    <section className={styles.part}>
      <h2>{text('source.match')}</h2>
      <p className={styles.quiet}>{text('source.matchHint')}</p>
      <Load query={query}>
        {({ order = [] }) => (
          <Order
            sourceId={source.id ?? ''}
            saved={order.filter((rule): rule is Rule => rules.includes(rule as Rule))}
            mayWrite={mayWrite}
          />
        )}
      </Load>
    </section>
  );
}

function Order({ sourceId, saved, mayWrite }: { sourceId: string; saved: readonly Rule[]; mayWrite: boolean }) {
  const { draft, set, isBusy, error, changed, save } = useSaved<{ readonly order: readonly Rule[] }>({
    stored: { order: saved },
    send: async ({ wanted: { order: next = saved }, asRead: { order: read = saved } }) => {
      const { changedCount } = await change(
        'MatchOrderService.SetOrder',
        { connectorId: sourceId, order: [...next] },
        { order: [...read] },
      );
      const said = text('source.matchSaved', { count: count(changedCount) });
      toast(said);
      announce(said);
    },
    stale: ['MatchOrderService.GetOrder', 'SourceService.Get', 'AppUserService.Search', 'IdentityService.ListUnownedAccounts'],
  });
  const { order } = draft;
  const setOrder = (next: readonly Rule[]) => set({ order: next });
  const move = (rule: Rule, by: number) => {
    const at = order.indexOf(rule);
    const next = order.filter((one) => one !== rule);
    next.splice(Math.max(0, at + by), 0, rule);
    setOrder(next);
  };
  const left = rules.filter((rule) => !order.includes(rule));
  return (
    <>
      {error instanceof ClientError ? <Note kind="fault">{error.violations[0]?.description ?? error.message}</Note> : null}
      {changed === undefined ? null : <ChangedMeanwhile {...changed} />}
      <ol className={styles.order}>
        {order.map((rule, index) => (
          <li key={rule}>
            {text(words[rule])}
            {mayWrite ? (
              <span className={styles.row}>
                {index === 0 ? null : (
                  <Button
                    variant="quiet"
                    icon="up"
                    aria-label={text('source.moveUp', { rule: text(words[rule]) })}
                    onClick={() => move(rule, -1)}
                  />
                )}
                <Button
                  variant="quiet"
                  icon="cross"
                  aria-label={text('source.leaveOut', { rule: text(words[rule]) })}
                  onClick={() => setOrder(order.filter((one) => one !== rule))}
                />
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <div className={styles.row}>
          {left.map((rule) => (
            <Button key={rule} icon="plus" variant="quiet" onClick={() => setOrder([...order, rule])}>
              {text(words[rule])}
            </Button>
          ))}
          {order.join() === saved.join() ? null : (
            <Button variant="primary" busy={isBusy} onClick={save}>
              {text('source.save')}
            </Button>
          )}
        </div>
      ) : null}
    </>
  );
}
