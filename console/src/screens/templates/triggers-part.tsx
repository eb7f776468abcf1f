/** People whose change triggers a template at once: who moved, who left, who came into a conflict. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { changeWhole } from '~/data/change.ts';
import { forget, queries, read, type RequestOf } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import styles from './templates.module.css';

type Kind = NonNullable<RequestOf<'ReviewTemplateService.SetTriggers'>['kinds']>[number];

const kinds = [
  ['TEMPLATE_TRIGGER_MOVER', 'templates.mover', 'templates.moverHint'],
  ['TEMPLATE_TRIGGER_LEAVER', 'templates.leaver', 'templates.leaverHint'],
  ['TEMPLATE_TRIGGER_CONFLICT', 'templates.conflict', 'templates.conflictHint'],
] as const satisfies readonly (readonly [Kind, ...unknown[]])[];

export function TriggersPart({ id }: { id: string }) {
  const mayManage = useMay('reviews.create');
  const wanted = read('ReviewTemplateService.GetTriggers', { accessReviewTemplateId: id });
  const query = useQuery(wanted);
  const save = useSend({
    mutationFn: (set: Kind[]) => {
      const { kinds: before = [], condition = '' } = query.data?.triggers ?? {};
      return changeWhole('ReviewTemplateService.SetTriggers', {
        address: { accessReviewTemplateId: id },
        before: { kinds: before, condition },
        after: { kinds: set, condition: set.length === 0 ? '' : condition },
        readNow: async () => {
          const { triggers } = await queries.fetchQuery({ ...wanted, staleTime: 0 });
          return { kinds: triggers?.kinds ?? [], condition: triggers?.condition ?? '' };
        },
      });
    },
    onSettled: () => forget('ReviewTemplateService.GetTriggers'),
  });
  const on = save.isPending ? save.variables : (query.data?.triggers?.kinds ?? []);
  return (
    <section className={styles.section}>
      <h2>{text('templates.triggers')}</h2>
      <p className={styles.hint}>{text('templates.triggersHint')}</p>
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {save.isError ? <Note kind="fault">{save.error.message}</Note> : null}
      {query.data === undefined
        ? null
        : kinds.map(([kind, label, hint]) => (
            <Checkbox
              key={kind}
              label={text(label)}
              hint={text(hint)}
              checked={on.includes(kind)}
              disabledReason={mayManage ? undefined : text('templates.notYours')}
              onChange={(isOn) => save.mutate(isOn ? [...on, kind] : on.filter((one) => one !== kind))}
            />
          ))}
      {query.data?.triggers?.condition ? (
        <p className={styles.hint}>
          {text('templates.condition')} <code>{query.data.triggers.condition}</code>
        </p>
      ) : null}
    </section>
  );
}
