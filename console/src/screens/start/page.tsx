/** The first steps: the ways in which people and their access come in, and what is left until a first review. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Page } from '~/app/page.tsx';
import { layFile } from '~/data/inventory/dropped-file.ts';
import { firstStepsQuery } from '~/data/inventory/is-empty.ts';
import { useMay } from '~/data/session/session.ts';
import { ButtonLink } from '~/parts/controls/button-link.tsx';
import { FileDrop } from '~/parts/fields/file-drop.tsx';
import { Icon } from '~/parts/words/icon.tsx';
import { text } from '~/text/text.ts';
import { SamplesWay } from './samples-way.tsx';
import styles from './start.module.css';

const ways = [
  { icon: 'upload', title: 'start.files', time: 'start.filesTime', words: 'start.filesWords', to: '/import', label: 'start.chooseFiles' },
  { icon: 'sync', title: 'start.push', time: 'start.pushTime', words: 'start.pushWords', to: '/sources', label: 'start.toSources' },
] as const;

export function StartPage() {
  const { hasPeople = false, hasApps = false, mayLoadSamples = false } = useQuery(firstStepsQuery).data ?? {};
  const mayImport = useMay('imports.write');
  const offersSamples = mayImport && mayLoadSamples;
  const navigate = useNavigate();
  const take = (file: File): void => {
    layFile(file);
    void navigate({ to: '/import' });
  };
  const steps = [
    { title: 'start.stepServer', words: undefined, isDone: true },
    { title: 'start.stepPeople', words: 'start.stepPeopleWords', isDone: hasPeople },
    { title: 'start.stepAccess', words: 'start.stepAccessWords', isDone: hasApps },
    { title: 'start.stepSignIn', words: 'start.stepSignInWords', isDone: false },
    { title: 'start.stepReview', words: 'start.stepReviewWords', isDone: false },
  ] as const;
  return (
    <Page title={text('start.title')} width="bare">
      <div className={styles.start}>
        <div className={styles.main}>
          <h2 className={styles.question}>{text('start.question')}</h2>
          <p className={styles.intro}>{text('start.intro')}</p>
          <ul>
            {offersSamples ? <SamplesWay /> : null}
            {ways.map((way, index) => (
              <li key={way.to} className={styles.way}>
                <span className={styles.icon}>
                  <Icon name={way.icon} />
                </span>
                <div>
                  <h3>
                    {text(way.title)} <small>{text(way.time)}</small>
                  </h3>
                  <p>{text(way.words)}</p>
                </div>
                <ButtonLink to={way.to} variant={index === 0 && !offersSamples ? 'primary' : 'plain'}>
                  {text(way.label)}
                </ButtonLink>
              </li>
            ))}
          </ul>
          {mayImport ? <FileDrop label={text('start.drop')} hint={text('start.dropHint')} onFile={take} anywhere /> : null}
          <p className={styles.small}>
            {text('start.commandLine')} <code>./countersign import people people.csv</code>
          </p>
        </div>
        <aside className={styles.side} aria-label={text('start.way')}>
          <h2>{text('start.way')}</h2>
          <ol>
            {steps.map((step, index) => (
              <li key={step.title} className={styles.step} data-done={step.isDone || undefined}>
                <span className={styles.number}>{step.isDone ? <Icon name="check" size={12} /> : index + 1}</span>
                <span>
                  <b>{text(step.title)}</b>
                  {step.words === undefined ? null : <small>{text(step.words)}</small>}
                </span>
              </li>
            ))}
          </ol>
          <p>{text('start.what')}</p>
        </aside>
      </div>
    </Page>
  );
}
