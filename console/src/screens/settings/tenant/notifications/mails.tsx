/** The mails to people, the newest first, with what came of each. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageRows } from '~/data/pages.ts';
import { readPages, type ReplyOf } from '~/data/query.ts';
import { Chip, type SignalKind } from '~/parts/words/chip.tsx';
import { Empty } from '~/parts/states/empty.tsx';
import { Select } from '~/parts/controls/select.tsx';
import { Table } from '~/parts/tables/table.tsx';
import { When } from '~/parts/words/when.tsx';
import { choicesOf } from '~/parts/controls/choices-of.ts';
import type { ByValue } from '~/text/by-value.ts';
import { type PlainTextKey, text } from '~/text/text.ts';
import styles from '~/screens/settings/tenant/tenant.module.css';

type Mail = NonNullable<ReplyOf<'MailService.List'>['list']>[number];
type State = NonNullable<Mail['state']>;

const names: ByValue<State, PlainTextKey> = {
  MAIL_STATE_SENT: 'notifications.sent',
  MAIL_STATE_WAITING: 'notifications.waiting',
  MAIL_STATE_SENDING: 'notifications.sending',
  MAIL_STATE_FAILED: 'notifications.failed',
  MAIL_STATE_UNSURE: 'notifications.unsure',
  MAIL_STATE_DROPPED: 'notifications.dropped',
};
const signals: ByValue<State, SignalKind> = {
  MAIL_STATE_SENT: 'ok',
  MAIL_STATE_WAITING: 'info',
  MAIL_STATE_SENDING: 'info',
  MAIL_STATE_FAILED: 'no',
  MAIL_STATE_UNSURE: 'warn',
  MAIL_STATE_DROPPED: 'plain',
};

export function Mails() {
  const [state, setState] = useState<State | ''>('');
  const list = useInfiniteQuery({
    ...readPages('MailService.List', { ...(state === '' ? {} : { state }), pageSize: 50 }),
    placeholderData: keepPreviousData,
  });
  const rows = pageRows<Mail>(list.data);
  return (
    <section className={styles.section} aria-labelledby="mails">
      <h3 id="mails">{text('notifications.mails')}</h3>
      <div className={styles.page}>
        <Select
          label={text('notifications.show')}
          value={state}
          onChange={(next: State | '') => setState(next)}
          options={[{ value: '', label: text('notifications.all') }, ...choicesOf(names)]}
        />
      </div>
      <Table
        query={list}
        empty={<Empty icon="inbox" title={text(state === '' ? 'notifications.none' : 'notifications.noneSuch')} />}
        label={text('notifications.mails')}
        rows={rows}
        rowKey={(mail) => mail.id ?? ''}
        columns={(column) => [
          column('mail', text('notifications.mail'), (mail) => (
            <span className={styles.pair}>
              <b>{mail.subject}</b>
              <small>{mail.address}</small>
            </span>
          )),
          column('state', text('notifications.state'), (mail) => <MailState mail={mail} />, { narrow: 'second' }),
          column('when', text('notifications.when'), (mail) => (mail.updatedAt === undefined ? null : <When at={mail.updatedAt} />), {
            narrow: 'second',
          }),
        ]}
      />
    </section>
  );
}

function MailState({ mail }: { mail: Mail }) {
  const { state = '' } = mail;
  const name = names[state];
  return (
    <span className={styles.pair}>
      <span>{name === undefined ? null : <Chip kind={signals[state]}>{text(name)}</Chip>}</span>
      {mail.state === 'MAIL_STATE_SENT' || !mail.answer ? null : <small>{mail.answer}</small>}
    </span>
  );
}
