/** A second opinion: the items of a review that somebody decided, asked again of somebody who is not shown what was decided. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Page } from '~/app/page.tsx';
import { errorMessage, useAct } from '~/data/act.ts';
import { useOpinions } from '~/data/queue/opinions.ts';
import { Button } from '~/parts/controls/button.tsx';
import { Dialog } from '~/parts/over/dialog.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Load } from '~/parts/states/load.tsx';
import { Note } from '~/parts/states/note.tsx';
import { Pages } from '~/parts/tables/pages.tsx';
import { Progress } from '~/parts/drawings/progress.tsx';
import { toast } from '~/parts/over/toast.tsx';
import { text } from '~/text/text.ts';
import { Question } from './question.tsx';
import styles from './second-opinion.module.css';
import { questionsQuery, secondOpinionRoute } from './route.tsx';

/** As many as one request takes. */
const maxAtOnce = 1_000;

export function SecondOpinionPage() {
  const { review } = secondOpinionRoute.useParams();
  const query = useInfiniteQuery(questionsQuery(review));
  const [opinions, keep] = useOpinions(review);
  const [isAsking, setAsking] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const answer = useAct('SecondReviewService.Answer', 'SecondReviewService.ListQuestions', 'SecondReviewService.ListMine');
  const questions = (query.data?.pages ?? []).flatMap(({ list }) => list ?? []);
  const isSaid = ({ answer: given }: (typeof questions)[number]) => given !== undefined && given !== 'REVIEW_DECISION_UNSPECIFIED';
  const ready = questions.filter((one) => !isSaid(one) && opinions[one.taskId ?? ''] !== undefined).slice(0, maxAtOnce);
  const said = questions.filter(isSaid).length;
  const send = () =>
    answer.mutate(
      { accessReviewId: review, answers: ready.flatMap(({ taskId = '' }) => ({ taskId, ...opinions[taskId] })) },
      {
        onSuccess: ({ results = [] }) => {
          const failed = results.filter(({ answered }) => answered !== true);
          setRefused([...new Set(failed.map(({ message }) => message ?? ''))]);
          keep(Object.fromEntries(Object.entries(opinions).filter(([id]) => failed.some(({ taskId }) => taskId === id))));
          toast(text('second.sent', { count: results.length - failed.length }));
          setAsking(false);
        },
      },
    );
  return (
    <Page
      title={text('second.title')}
      width="column"
      actions={
        <Button
          variant="primary"
          {...(ready.length === 0 ? { disabledReason: text('second.decideFirst') } : {})}
          onClick={() => setAsking(true)}
        >
          {text('second.send', { count: ready.length })}
        </Button>
      }
    >
      <p className={styles.quiet}>{text('second.what')}</p>
      <Load
        query={query}
        empty={
          <Empty icon="check" title={text('second.none')}>
            {text('second.noneNext')}
          </Empty>
        }
      >
        {() => (
          <>
            <div className={styles.progress}>
              <Progress value={said} max={questions.length} label={text('second.saidOf', { said, all: questions.length })} />
              <span>{text('second.saidOf', { said, all: questions.length })}</span>
            </div>
            {refused.length === 0 ? null : <Note kind="warn">{refused.join(' ')}</Note>}
            <ol className={styles.list}>
              {questions.map((question) => (
                <Question
                  key={question.taskId}
                  question={question}
                  opinion={opinions[question.taskId ?? '']}
                  onSay={(opinion) => keep({ ...opinions, [question.taskId ?? '']: opinion })}
                />
              ))}
            </ol>
            <Pages query={query} />
          </>
        )}
      </Load>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={text('second.send', { count: ready.length })}
        footer={
          <>
            <Button variant="quiet" onClick={() => setAsking(false)}>
              {text('review.cancel')}
            </Button>
            <Button variant="primary" busy={answer.isPending} onClick={send}>
              {text('second.send', { count: ready.length })}
            </Button>
          </>
        }
      >
        <p>{text('second.final')}</p>
        {answer.isError ? <Note kind="fault">{errorMessage(answer.error)}</Note> : null}
      </Dialog>
    </Page>
  );
}
