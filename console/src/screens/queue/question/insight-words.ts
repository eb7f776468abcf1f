/**
 * Insight about a task in the words of the catalogue: the server says it by code and parameters. Where a code is not known here, its sentence
 * holds.
 */
import type { Change, Insight, Reason } from '~/data/queue/task-details.ts';
import { date } from '~/text/format.ts';
import { nameBy } from '~/text/name-by.ts';
import { type TextKey, text } from '~/text/text.ts';

/** The text of each code. */
export const insightTexts: Readonly<Record<string, TextKey>> = {
  LEAVER: 'insight.leaver',
  LEAVER_DISABLED: 'insight.leaverDisabled',
  DENIED_BEFORE: 'insight.deniedBefore',
  DENIED_BEFORE_BY_POLICY: 'insight.deniedBeforeByPolicy',
  DENIED_BEFORE_AT_CLOSE: 'insight.deniedBeforeAtClose',
  CONFLICT: 'insight.conflict',
  CONFLICT_OF_RULE: 'insight.conflictOfRule',
  ORPHAN: 'insight.orphan',
  DORMANT: 'insight.dormant',
  PAST_END: 'insight.pastEnd',
  PAST_END_REPORTED: 'insight.pastEndReported',
  RISK: 'insight.risk',
  FORMER_ADDRESS: 'insight.formerAddress',
  OUTLIER_BY_TITLE: 'insight.outlierByTitle',
  OUTLIER_BY_DEPARTMENT: 'insight.outlierByDepartment',
  OUTLIER_BY_MANAGER: 'insight.outlierByManager',
  COMMON_BY_TITLE: 'insight.commonByTitle',
  COMMON_BY_DEPARTMENT: 'insight.commonByDepartment',
  COMMON_BY_MANAGER: 'insight.commonByManager',
  MOVER: 'insight.mover',
  NEW: 'insight.new',
  EXTERNAL: 'insight.external',
  DISABLED_ACCOUNT: 'insight.disabledAccount',
  CERTIFIED_BEFORE: 'insight.certifiedBefore',
  CERTIFIED_BEFORE_BY_POLICY: 'insight.certifiedBeforeByPolicy',
  CERTIFIED_BEFORE_AT_CLOSE: 'insight.certifiedBeforeAtClose',
  UNKNOWN_USE: 'insight.unknownUse',
  INHERITED: 'insight.inherited',
  INHERITED_THROUGH: 'insight.inheritedThrough',
  TEMPORARY: 'insight.temporary',
  TEMPORARY_UNTIL: 'insight.temporaryUntil',
  NO_DESCRIPTION: 'insight.noDescription',
};

/** The text of each change since the review before. */
export const changeTexts: Readonly<Record<string, TextKey>> = {
  ACCOUNT_STATUS: 'insight.changedStatus',
  ACCOUNT_TYPE: 'insight.changedType',
  OWNER: 'insight.changedOwner',
  DEPARTMENT: 'insight.changedDepartment',
  TITLE: 'insight.changedTitle',
  MANAGER: 'insight.changedManager',
  RISK_LEVEL: 'insight.changedRisk',
  NOW_INHERITED: 'insight.nowInherited',
  NOW_DIRECT: 'insight.nowDirect',
};

/** The text of each circle that somebody is compared with. */
export const peerTexts: Readonly<Record<string, TextKey>> = {
  TITLE: 'insight.peersByTitle',
  DEPARTMENT: 'insight.peersByDepartment',
  MANAGER: 'insight.peersByManager',
};

const say = text as (key: TextKey, values?: Readonly<Record<string, unknown>>) => string;
const numbers = ['days', 'with', 'of', 'others'];

/** Parameters as texts take them: numbers as numbers, days as dates, and whoever has no name as the owner. */
function valuesOf(parameters: Reason['parameters']): Record<string, unknown> {
  const read = ([name, value]: readonly [string, string]): readonly [string, unknown] => [
    name,
    numbers.includes(name) ? Number(value) : /date$/i.test(name) ? date(`${value}T12:00:00Z`) : value,
  ];
  const values = {
    person: text('insight.theOwner'),
    date: text('queue.notKnown'),
    ...Object.fromEntries(Object.entries(parameters).map(read)),
  };
  return { ...values, person: nameBy(values.person, parameters['issuer']) };
}

const moves = { department: 'DEPARTMENT', title: 'TITLE', manager: 'MANAGER' } as const;

/** Lists parts of a move. */
function movesOf(parameters: Reason['parameters']): Change[] {
  return Object.entries(moves).flatMap(([name, code]) => {
    const [was = '', is = ''] = [parameters[`${name}Was`], parameters[`${name}Is`]];
    return was === '' && is === '' ? [] : [{ code, was, is }];
  });
}

/** An insight in a sentence or a few. */
export function sayInsight({ code, parameters, sentence }: Pick<Insight, 'code' | 'parameters' | 'sentence'>): string {
  const key = insightTexts[code];
  if (key === undefined) {
    return sentence;
  }
  const comment = parameters['comment'];
  return [
    say(key, valuesOf(parameters)),
    ...(code === 'MOVER' ? movesOf(parameters).map(sayChange) : []),
    ...(comment === undefined ? [] : [text('queue.quoted', { words: comment })]),
  ].join(' ');
}

const words: Readonly<Record<string, TextKey>> = {
  'ACCOUNT_STATUS ENABLED': 'queue.accountEnabled',
  'ACCOUNT_STATUS DISABLED': 'queue.accountDisabled',
  'ACCOUNT_STATUS DELETED': 'queue.accountDeleted',
  'ACCOUNT_TYPE USER': 'insight.typeUser',
  'ACCOUNT_TYPE SERVICE_ACCOUNT': 'insight.typeService',
  'ACCOUNT_TYPE SYSTEM_ACCOUNT': 'insight.typeSystem',
};

/** A change in a sentence; empty for one that is not known here. */
export function sayChange({ code, was, is }: Change): string {
  const key = changeTexts[code];
  const nameOf = (value: string): string => {
    const word = words[`${code} ${value}`];
    return word === undefined ? value || text('insight.empty') : say(word);
  };
  return key === undefined ? '' : say(key, { was: nameOf(was), is: nameOf(is) });
}

/** Counts others with the same: `3 of 11 others in Finance`; undefined for a circle that is not known here. */
export function sayPeers(peers: Reason['parameters']): string | undefined {
  const key = peerTexts[peers['by'] ?? ''];
  return key === undefined ? undefined : say(key, valuesOf(peers));
}
