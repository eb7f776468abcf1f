/** One template: what it makes, when, for whom, and the reviews that were made of it. */
import { useSend } from '~/data/act.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { call, forget, read } from '~/data/query.ts';
import { useMay } from '~/data/session/session.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Facts } from '~/parts/words/facts.tsx';
import { Failed } from '~/parts/states/failed.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Skeleton } from '~/parts/states/skeleton.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import { EditPart } from './edit-part.tsx';
import { LastReviews } from './last-reviews.tsx';
import { SchedulePart } from './schedule-part.tsx';
import { SignaturePart } from './signature-part.tsx';
import styles from './templates.module.css';
import { TriggersPart } from './triggers-part.tsx';
import { durationDays, scheduleWords } from './words.ts';
import { templateQuery, templateRoute } from './route.tsx';

export function TemplatePage() {
  const { id } = templateRoute.useParams();
  const navigate = useNavigate();
  const query = useQuery(templateQuery(id));
  const mayCreate = useMay('reviews.create');
  const template = query.data?.accessReviewTemplate;
  const policy = useQuery({ ...read('PolicyService.Get', { id: template?.policyId ?? '' }), enabled: Boolean(template?.policyId) });
  const run = useSend({
    mutationFn: () => call('ReviewTemplateService.CreateReview', { accessReviewTemplateId: id }),
    onSuccess: async ({ accessReview }) => {
      await forget(
        'AccessReviewService.List',
        'ReviewSearchService.Search',
        'AccessReviewTemplateService.Get',
        'ReviewTemplateService.List',
      );
      await navigate({ to: '/reviews/$reviewId/check', params: { reviewId: accessReview?.accessReview?.id ?? '' } });
    },
  });
  const days = durationDays(template?.accessReviewDuration);
  return (
    <Page
      title={template?.displayName ?? text('templates.one')}
      before={<Link to="/templates">{text('nav.templates')}</Link>}
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
          <SignaturePart key={`signature ${template.updatedAt}`} template={template} />
          <TriggersPart id={id} />
          <LastReviews id={id} />
        </div>
      )}
    </Page>
  );
}
