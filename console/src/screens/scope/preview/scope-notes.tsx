/** Notes on a scope for its owner before anybody is asked: names without words, sources that are old, and what is new since the review before. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { count } from '~/data/count.ts';
import type { Preview } from '~/data/reviews/review.ts';
import { Icon, type IconName } from '~/parts/words/icon.tsx';
import { When } from '~/parts/words/when.tsx';
import { text } from '~/text/text.ts';
import styles from '~/screens/scope/edit.module.css';

export function ScopeNotes({ preview }: { preview: Preview }) {
  const { difference } = preview;
  const stale = preview.staleSources ?? [];
  const links = count(preview.linkItems);
  const undescribed = count(preview.undescribedEntitlements);
  const notes: readonly (readonly [IconName, string, ReactNode] | undefined)[] = [
    undescribed === 0
      ? undefined
      : [
          'info',
          text('scope.undescribed', { entitlements: undescribed, items: count(preview.undescribedItems) }),
          <Link key="quality" to="/quality/$tab" params={{ tab: 'no-description' }}>
            {text('scope.toDescriptions')}
          </Link>,
        ],
    ...stale
      .slice(0, 3)
      .map((source): readonly [IconName, string, ReactNode] => [
        'warning',
        text('scope.staleSource', { app: source.appDisplayName ?? '', source: source.displayName ?? '' }),
        source.lastDoneAt === undefined ? text('scope.neverSynced') : <When key="age" at={source.observedFrom} />,
      ]),
    links === 0 ? undefined : ['branch', text('scope.linkItems', { count: links }), null],
    difference === undefined
      ? undefined
      : [
          'history',
          text('scope.difference', {
            added: count(difference.added),
            changed: count(difference.changed),
            unchanged: count(difference.unchanged),
            gone: count(difference.gone),
          }),
          null,
        ],
  ];
  const shown = notes.filter((note) => note !== undefined);
  return shown.length === 0 ? null : (
    <ul className={styles.notes}>
      {shown.map(([icon, words, beside]) => (
        <li key={words}>
          <Icon name={icon} />
          <span>{words}</span>
          {beside}
        </li>
      ))}
    </ul>
  );
}
