/** Paths of inherited grants, as they are written and as they are staged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getNameKey } from '../../../lib/names/same-name.ts';
import { readGrantedVia } from './granted-via.ts';

function read(text: string): { path: string; reasons: string[] } {
  const reasons: string[] = [];
  const path = readGrantedVia(text, (column, reason) => reasons.push(`${column}: ${reason}`));
  return { path, reasons };
}

describe('readGrantedVia', () => {
  it.each([
    ['nothing', '', ''],
    ['spaces', '  ', ''],
    ['one step', 'group/Admins/member', 'group\u001fAdmins\u001fmember'],
    [
      'two steps, with spaces around them',
      ' group/A/member > role/R s/is > t/u/v ',
      'group\u001fA\u001fmember\u001erole\u001fR s\u001fis\u001et\u001fu\u001fv',
    ],
    ['what is escaped', String.raw`g/a\/b\>c\\/m`, 'g\u001fa/b>c\\\u001fm'],
  ])('reads %s', (_name, text, path) => {
    expect(read(text)).toEqual({ path, reasons: [] });
  });

  it.each([
    ['too few parts', 'group/Admins', 'has a step that is not resource type/resource/entitlement'],
    ['too many parts', 'a/b/c/d', 'has a step that is not'],
    ['an empty step', 'a/b/c>', 'has a step that is not'],
    ['an empty part', 'a//c', "a step's resource must not be empty"],
    ['a part too long', `a/b/${'c'.repeat(1025)}`, "a step's entitlement is longer than 1024 bytes"],
    ['a backslash before a letter', String.raw`a/b\n/c`, 'has a backslash before a character other than'],
    ['a backslash at the end', 'a/b/c\\', 'has a backslash before a character other than'],
    ['a separator of ours', 'a/b\u001f/c', 'holds a control character'],
    ['too many steps', Array.from({ length: 21 }, () => 'a/b/c').join('>'), 'has 21 steps; at most 20 are read'],
  ])('refuses %s', (_name, text, reason) => {
    const told = read(text);
    expect(told.path).toBe('');
    expect(told.reasons).toHaveLength(1);
    expect(told.reasons[0]).toContain(reason);
    expect(told.reasons[0]).toMatch(/^granted_via: /);
  });

  it('reads back what was escaped', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '/', '>', '\\', ' ', 'é'), minLength: 1, maxLength: 6 }).map((text) => `x${text}x`);
    const path = fc.array(fc.tuple(part, part, part), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(path, (steps) => {
        const text = steps.map((step) => step.map((one) => one.replace(/[\\/>]/g, '\\$&')).join('/')).join(' > ');
        expect(read(text)).toEqual({ path: steps.map((step) => step.map(getNameKey).join('\u001f')).join('\u001e'), reasons: [] });
      }),
    );
  });
});
