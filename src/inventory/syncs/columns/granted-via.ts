/**
 * The columns `granted_via` and `linked_from` of a grants file: through which entitlements a grant is inherited, written as one text, and by which one
 * others hold an entitlement.
 */
import { type Complain, quote, readKey } from '../values/index.ts';

const maxSteps = 20;
const stepSeparator = '\u001e';
const partSeparator = '\u001f';
const parts = ['resource type', 'resource', 'entitlement'] as const;

/**
 * A path as it is staged: steps joined by chr(30), the parts of a step, keys of names, by chr(31); '' for an empty field, which means directly. Steps are
 * separated by `>`, with or without spaces around it; each is `resource type/resource/entitlement`, in which `\` takes the meaning from
 * the `/`, `>` or `\` behind it.
 */
export function readGrantedVia(text: string, complain: Complain): string {
  return readSteps(text, 'granted_via', maxSteps, complain);
}

/** A single step of the column `linked_from`, as it is staged; '' for an empty field. */
export function readStep(text: string, complain: Complain): string {
  return readSteps(text, 'linked_from', 1, complain);
}

function readSteps(text: string, name: string, most: number, complain: Complain): string {
  if (text.trim() === '') {
    return '';
  }
  const told = (reason: string) => {
    complain(name, reason);
    return '';
  };
  if (text.includes(stepSeparator) || text.includes(partSeparator)) {
    return told('holds a control character');
  }
  const steps = splitPath(text);
  if (steps === undefined) {
    return told(`${quote(text)} has a backslash before a character other than /, > or \\`);
  }
  if (steps.length > most) {
    return told(`has ${steps.length} steps; at most ${most} ${most === 1 ? 'is' : 'are'} read`);
  }
  const keys: string[] = [];
  for (const step of steps) {
    const parted: string[] = [];
    if (step.length !== parts.length) {
      return told(`${quote(text)} has a step that is not resource type/resource/entitlement`);
    }
    for (const [index, part] of step.entries()) {
      let isWrong = false;
      const key = readKey(part, name, (column, reason) => {
        isWrong = true;
        complain(column, `a step's ${parts[index]} ${reason}`);
      });
      parted.push(key);
      if (isWrong) {
        return '';
      }
    }
    keys.push(parted.join(partSeparator));
  }
  return keys.join(stepSeparator);
}

/** Steps and their parts, without what escapes; undefined where a backslash escapes nothing. Spaces around a step are not part of it. */
function splitPath(text: string): string[][] | undefined {
  const steps: string[][] = [];
  let step: string[] = [];
  let part = '';
  /** Length of `part` that was escaped, and so is not a space to be cut off. */
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
