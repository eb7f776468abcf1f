/**
 * The column `granted_via` of a grants file: through which entitlements a grant is inherited, written as one text.
 */
import { type Complain, quote, readKey } from './fields.ts';

const maxSteps = 20;
const stepSeparator = '\u001e';
const partSeparator = '\u001f';
const parts = ['resource type', 'resource', 'entitlement'] as const;

/**
 * A path as it is staged: steps joined by chr(30), the parts of a step by chr(31); '' for an empty field, which means directly. Steps are
 * separated by `>`, with or without spaces around it; each is `resource type/resource/entitlement`, in which `\` takes the meaning from
 * the `/`, `>` or `\` behind it.
 */
export function readGrantedVia(text: string, complain: Complain): string {
  if (text.trim() === '') {
    return '';
  }
  const told = (reason: string) => {
    complain('granted_via', reason);
    return '';
  };
  if (text.includes(stepSeparator) || text.includes(partSeparator)) {
    return told('holds a control character');
  }
  const steps = splitPath(text);
  if (steps === undefined) {
    return told(`${quote(text)} has a backslash before a character other than /, > or \\`);
  }
  if (steps.length > maxSteps) {
    return told(`has ${steps.length} steps; at most ${maxSteps} are read`);
  }
  for (const step of steps) {
    if (step.length !== parts.length) {
      return told(`${quote(text)} has a step that is not resource type/resource/entitlement`);
    }
    for (const [index, part] of step.entries()) {
      let isWrong = false;
      readKey(part, 'granted_via', (column, reason) => {
        isWrong = true;
        complain(column, `a step's ${parts[index]} ${reason}`);
      });
      if (isWrong) {
        return '';
      }
    }
  }
  return steps.map((step) => step.join(partSeparator)).join(stepSeparator);
}

/** Steps and their parts, without what escapes; undefined where a backslash escapes nothing. Spaces around a step are not part of it. */
function splitPath(text: string): string[][] | undefined {
  const steps: string[][] = [];
  let step: string[] = [];
  let part = '';
  /** How much of `part` was escaped, and so is not a space to be cut off. */
  let kept = 0;
  const endStep = () => {
    step.push(part.slice(0, kept) + part.slice(kept).trimEnd());
    steps.push(step);
    step = [];
    part = '';
    kept = 0;
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index] as string;
    if (char === '\\') {
      const next = text[++index];
      if (next !== '/' && next !== '>' && next !== '\\') {
        return undefined;
      }
      part += next;
      kept = part.length;
    } else if (char === '>') {
      endStep();
    } else if (char === '/') {
      step.push(part);
      part = '';
      kept = 0;
    } else if (part !== '' || step.length > 0 || char.trim() !== '') {
      part += char;
    }
  }
  endStep();
  return steps;
}
