/** One template: what it makes, when, for whom, and the reviews that were made of it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Page } from '../../app/page.tsx';
import { call, forget, read } from '../../data/query.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { When } from '../../parts/when.tsx';
import { text } from '../../text/text.ts';
import { EditPart } from './edit-part.tsx';
import { LastReviews } from './last-reviews.tsx';
import { SchedulePart } from './schedule-part.tsx';
import styles from './templates.module.css';
import { TriggersPart } from './triggers-part.tsx';
import { daysOf, scheduleWords } from './words.ts';

export function TemplatePage() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const query = useQuery(read('AccessReviewTemplateService.Get', { id }));
  const mayCreate = useMay('reviews.create');
  const template = query.data?.accessReviewTemplate;
  const policy = useQuery({ ...read('PolicyService.Get', { id: template?.policyId ?? '' }), enabled: Boolean(template?.policyId) });
  const run = useMutation({
    mutationFn: () => call('ReviewTemplateService.CreateReview', { accessReviewTemplateId: id }),
    onSuccess: async ({ accessReview }) => {
      await forget(
        'AccessReviewService.List',
        'ReviewSearchService.Search',
        'AccessReviewTemplateService.Get',
        'ReviewTemplateService.List',
      );
      await navigate({ href: `/reviews/${accessReview?.accessReview?.id}/check` });
    },
  });
  const days = daysOf(template?.accessReviewDuration);
  return (
    <Page
      title={template?.displayName ?? text('templates.one')}
      before={<Link to={'/templates' as string}>{text('nav.templates')}</Link>}
      width="column"
      actions={
        template !== undefined && mayCreate ? (
          <Button variant="primary" icon="bolt" busy={run.isPending} onClick={() => run.mutate()}>
            {text('templates.runNow')}
          </Button>
        ) : undefined
      }
    >
      {query.isPending ? <Skeleton rows={6} /> : null}
      {query.isError ? <Failed error={query.error} retry={() => void query.refetch()} /> : null}
      {run.isError ? <Note kind="fault">{run.error.message}</Note> : null}
      {template === undefined ? null : (
        <div className={styles.sections}>
          <section className={styles.section}>
            {template.description ? <p className={styles.hint}>{template.description}</p> : null}
            <Facts
              rows={[
                { term: text('templates.schedule'), children: scheduleWords(template) },
                {
                  term: text('templates.next'),
                  children: template.isCampaignScheduleEnabled ? <When at={template.nextScheduledCampaignAt} /> : text('templates.noNext'),
                },
                { term: text('templates.time'), children: days === 0 ? text('templates.noTime') : text('templates.days', { count: days }) },
                { term: text('templates.policy'), children: policy.data?.policy?.displayName ?? text('templates.noPolicy') },
                {
                  term: text('templates.start'),
                  children: text(template.autoStartCampaign ? 'templates.startsItself' : 'templates.startsByOwner'),
                },
              ]}
            />
          </section>
          <EditPart key={`edit ${template.updatedAt}`} template={template} />
          <SchedulePart key={template.updatedAt} template={template} />
          <TriggersPart id={id} />
          <LastReviews id={id} />
        </div>
      )}
    </Page>
  );
}
