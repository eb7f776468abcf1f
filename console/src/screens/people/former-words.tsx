/**
 * What a person was called before, with the dates, and who else had or has an address of theirs: an address that was given to somebody else makes no two
 * people one, and the pages of both say so.
 */
import { useQuery } from '@tanstack/react-query';
import { PersonLink } from '~/app/people/person-link.tsx';
import { read, type ReplyOf } from '~/data/query.ts';
import { Name } from '~/parts/words/name.tsx';
import { When } from '~/parts/words/when.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from './people.module.css';

type Former = ReplyOf<'PersonWordsService.ListFormer'>;
type Word = NonNullable<Former['list']>[number];
type Holder = NonNullable<Former['holders']>[number];

const kinds: ByValue<Word['kind'], PlainTextKey> = {
  FORMER_WORD_KIND_NAME: 'people.named',
  FORMER_WORD_KIND_ADDRESS: 'people.mail',
  FORMER_WORD_KIND_EMPLOYEE_ID: 'people.employeeId',
};

/** Nothing is shown of whoever always was called the same. */
export function FormerWords({ userId }: { userId: string }) {
  const { data } = useQuery(read('PersonWordsService.ListFormer', { userId }));
  const { list = [], holders = [] } = data ?? {};
  return (
    <>
      {list.length === 0 ? null : (
        <section className={styles.history} aria-labelledby="former">
          <h3 id="former">{text('people.former')}</h3>
          <dl>
            {list.map((word) => (
              <OneWord key={`${word.kind} ${word.word}`} word={word} />
            ))}
          </dl>
        </section>
      )}
      {holders.length === 0 ? null : (
        <section className={styles.history} aria-labelledby="holders">
          <h3 id="holders">{text('people.holders')}</h3>
          <p className={styles.quiet}>{text('people.holdersWhat')}</p>
          <dl>
            {holders.map((holder) => (
              <OneHolder key={`${holder.userId} ${holder.address}`} holder={holder} />
            ))}
          </dl>
        </section>
      )}
    </>
  );
}

function OneWord({ word: { kind, word, from, until } }: { word: Word }) {
  return (
    <div>
      <dt>{text(kinds[kind ?? ''] ?? 'people.named')}</dt>
      <dd>
        <Name>{word}</Name>{' '}
        <small>
          <Span from={from} until={until} />
        </small>
      </dd>
    </div>
  );
}

function OneHolder({ holder: { address, userId = '', displayName, from, until } }: { holder: Holder }) {
  return (
    <div>
      <dt>
        <Name>{address}</Name>
      </dt>
      <dd>
        <PersonLink person={{ id: userId, displayName: displayName || userId }} />{' '}
        <small>
          <Span from={from} until={until} />
        </small>
      </dd>
    </div>
  );
}

function Span({ from, until }: { from: string | undefined; until: string | undefined }) {
  return until === undefined ? (
    <When at={from} prefix={text('people.wordSince')} />
  ) : (
    <>
      <When at={from} prefix={text('people.wordFrom')} /> <When at={until} prefix={text('people.wordUntil')} />
    </>
  );
}
