/** The decision: two buttons that look alike, and beside them certify until, reassign and comment; or the field that was opened, in their place. */
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Menu } from '../../parts/menu.tsx';
import { date } from '../../text/format.ts';
import { text } from '../../text/text.ts';
import styles from './decide.module.css';
import { OpenForm, type OpenFormProps } from './open-form.tsx';
import { wordOf } from './words.ts';

export function DecideBar({ model, actions, onDone }: OpenFormProps) {
  const row = model.row(model.current);
  if (row === undefined) {
    return null;
  }
  const standing = model.standing(row);
  const draft = model.box.drafts.get(row.taskId);
  const canReassign = (row.actions ?? []).includes('REASSIGN');
  if (model.mode !== 'free') {
    return <OpenForm model={model} actions={actions} onDone={onDone} />;
  }
  const isUnderway = actions.submission.isUnderway;
  if (standing.kind === 'draft' || standing.kind === 'mine') {
    const words = draft?.until
      ? text('queue.youUntil', { date: date(draft.until) })
      : standing.mark === 'denied'
        ? text('queue.youDenied')
        : text('queue.youCertified');
    return (
      <div className={styles.decided}>
        <Mark state={standing.mark} label={wordOf(standing.mark)} />
        <span>
          <strong>{words}</strong>
          {draft?.comment ? (
            <small>{text('queue.quoted', { words: draft.comment })}</small>
          ) : standing.kind === 'mine' ? (
            <small>{text('queue.submitted')}</small>
          ) : null}
        </span>
        {isUnderway ? (
          <small>{text('queue.onItsWay')}</small>
        ) : standing.kind === 'mine' ? (
          <Button onClick={() => actions.open(standing.mark === 'denied' ? 'certify' : 'deny')}>
            {text(standing.mark === 'denied' ? 'queue.amendCertify' : 'queue.amendDeny')}
          </Button>
        ) : (
          <Button keys="backspace" onClick={() => actions.undoThis()}>
            {text('queue.change')}
          </Button>
        )}
      </div>
    );
  }
  if (standing.kind !== 'open') {
    return standing.kind === 'forbidden' ? <p className={styles.decided}>{text('queue.refusedForbidden')}</p> : null;
  }
  const noReassign = canReassign ? undefined : text('queue.noReassign');
  return (
    <div className={styles.bar}>
      <div className={styles.two}>
        <Button icon="check" keys="c" onClick={() => actions.decide({ choice: 'certify' })} data-choice="certify">
          {text('queue.certify')}
        </Button>
        <Button icon="cross" keys="d" onClick={() => actions.decide({ choice: 'deny' })} data-choice="deny">
          {text('queue.deny')}
        </Button>
        <span className={styles.more}>
          <Menu
            label={text('queue.more')}
            trigger={<Button icon="dots" aria-label={text('queue.more')} />}
            items={[
              { label: text('queue.untilShort'), icon: 'clock', onSelect: () => actions.open('until') },
              {
                label: text('queue.reassign'),
                icon: 'swap',
                onSelect: () => actions.open('reassign'),
                ...(noReassign === undefined ? {} : { disabledReason: noReassign }),
              },
              { label: text('queue.comment'), icon: 'comment', onSelect: () => actions.open('comment') },
            ]}
          />
        </span>
      </div>
      <div className={styles.three}>
        <Button variant="quiet" icon="clock" keys="t" onClick={() => actions.open('until')}>
          {text('queue.untilShort')}
        </Button>
        <Button variant="quiet" icon="swap" keys="r" disabledReason={noReassign} onClick={() => actions.open('reassign')}>
          {text('queue.reassign')}
        </Button>
        <Button variant="quiet" icon="comment" keys="m" onClick={() => actions.open('comment')}>
          {text('queue.comment')}
        </Button>
      </div>
    </div>
  );
}
