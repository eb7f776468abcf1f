/** Names of the commands whose keys can be changed. */
import type { KeyCommand } from '~/parts/words/key-map.ts';
import type { PlainTextKey } from '~/text/text.ts';

export const keyNames: Readonly<Record<KeyCommand, PlainTextKey>> = {
  next: 'display.keyNext',
  previous: 'display.keyPrevious',
  'next-open': 'keys.nextOpen',
  'group-before': 'display.keyGroupBefore',
  'group-next': 'display.keyGroupNext',
  certify: 'keys.certify',
  deny: 'keys.deny',
  until: 'keys.until',
  reassign: 'keys.reassign',
  comment: 'keys.comment',
  undo: 'keys.undo',
  select: 'keys.select',
  'range-next': 'display.keyRangeNext',
  'range-previous': 'display.keyRangePrevious',
  section: 'keys.section',
  filter: 'display.keyFilter',
  sort: 'keys.sort',
  'by-app': 'display.keyByApp',
  'by-person': 'display.keyByPerson',
  'by-resource': 'display.keyByResource',
  'by-list': 'display.keyByList',
  left: 'keys.left',
  why: 'keys.why',
  go: 'display.keyGo',
  help: 'keys.help',
};

/** The commands in the order in which they are listed, under the heads of the help on keys. */
export const keyGroups: readonly (readonly [PlainTextKey, readonly KeyCommand[]])[] = [
  ['keys.move', ['next', 'previous', 'next-open', 'group-before', 'group-next']],
  ['keys.decide', ['certify', 'deny', 'until', 'reassign', 'comment', 'undo']],
  ['keys.several', ['select', 'range-next', 'range-previous', 'section']],
  ['keys.look', ['filter', 'sort', 'by-app', 'by-person', 'by-resource', 'by-list', 'left', 'why']],
  ['keys.go', ['go', 'help']],
];
