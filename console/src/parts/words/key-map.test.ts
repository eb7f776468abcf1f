/** Keys that somebody chose: what is pressed means what it should, what is shown is what is to be pressed, and no key does two things. */
import { afterEach, describe, expect, it } from 'vitest';
import { keyCommands, commandKey, strokeCommand, refuseKey, setChosenKeys, shownKeys, usualKeys } from './key-map.ts';

afterEach(() => setChosenKeys({}));

describe('keys', () => {
  it('are the usual ones at first, each of one command', () => {
    expect(new Set(Object.values(usualKeys)).size).toBe(keyCommands.length);
    for (const command of keyCommands) {
      expect([commandKey(command), strokeCommand(usualKeys[command])]).toEqual([usualKeys[command], usualKeys[command]]);
    }
    expect([strokeCommand('q'), strokeCommand('mod+k'), strokeCommand('ArrowDown')]).toEqual(['q', 'mod+k', 'ArrowDown']);
  });

  it('mean the command they were chosen for, and the usual one of that command nothing more', () => {
    setChosenKeys({ certify: 'a', 'range-next': 'shift+n', unheard: 'q' });
    expect([strokeCommand('a'), strokeCommand('c'), strokeCommand('shift+n'), strokeCommand('shift+j'), strokeCommand('q')]).toEqual([
      'c',
      '',
      'shift+j',
      '',
      'q',
    ]);
  });

  it('can change places', () => {
    setChosenKeys({ next: 'k', previous: 'j' });
    expect([strokeCommand('j'), strokeCommand('k')]).toEqual(['k', 'j']);
  });

  it('are shown as they are to be pressed, of two strokes the first', () => {
    setChosenKeys({ certify: 'a', reassign: 'p', go: 'l' });
    expect([shownKeys('c'), shownKeys('c d r'), shownKeys('g r'), shownKeys('mod+Enter'), shownKeys('Home End')]).toEqual([
      'a',
      'a d p',
      'l r',
      'mod+Enter',
      'Home End',
    ]);
  });

  it('go to the groups by two more that every keyboard has, while no other command has them', () => {
    expect([strokeCommand(','), strokeCommand('.'), shownKeys('[ ] , .')]).toEqual(['[', ']', '[ ] , .']);
    setChosenKeys({ 'group-next': 'p', deny: ',' });
    expect([strokeCommand(','), strokeCommand('.'), shownKeys('[ ] , .')]).toEqual(['d', '', '[ p']);
  });

  it('are refused where another command has them, and where they are no single key', () => {
    expect(refuseKey('certify', 'k')).toEqual({ why: 'taken', by: 'previous' });
    expect([refuseKey('certify', 'c'), refuseKey('certify', 'a'), refuseKey('certify', 'shift+a'), refuseKey('certify', 'ö')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for (const stroke of ['Enter', 'Space', ' ', 'ArrowDown', 'mod+k', 'shift+Enter', 'F1']) {
      expect(refuseKey('certify', stroke), stroke).toEqual({ why: 'notSingle' });
    }
    setChosenKeys({ previous: 'p' });
    expect([refuseKey('certify', 'k'), refuseKey('certify', 'p')]).toEqual([undefined, { why: 'taken', by: 'previous' }]);
  });
});
