/**
 * The keys that single strokes act by, as the person chose them. All else names a command by the key it usually has: what is pressed becomes that
 * here, and what is shown becomes what is to be pressed.
 */
import { shareValue } from './share-value.ts';

/** The usual key of each command that can have another. The names are kept with the person: none is renamed. */
export const usualKeys = {
  next: 'j',
  previous: 'k',
  'next-open': 'n',
  'group-before': '[',
  'group-next': ']',
  certify: 'c',
  deny: 'd',
  until: 't',
  reassign: 'r',
  comment: 'm',
  undo: 'z',
  select: 'x',
  'range-next': 'shift+j',
  'range-previous': 'shift+k',
  section: 'shift+x',
  filter: '/',
  sort: 's',
  'by-app': '1',
  'by-person': '2',
  'by-resource': '3',
  'by-list': '4',
  left: 'o',
  why: 'w',
  go: 'g',
  help: '?',
} as const;

/** Keys that mean the same while the command has its usual one: every keyboard has them, and some have the usual one behind AltGr or Option. */
const moreKeys: Readonly<Record<string, KeyCommand>> = { ',': 'group-before', '.': 'group-next' };

/** A command that a single stroke does. */
export type KeyCommand = keyof typeof usualKeys;

/** Other keys, by command. */
export type ChosenKeys = Partial<Readonly<Record<string, string>>>;

export const keyCommands = Object.keys(usualKeys) as readonly KeyCommand[];
const commandsByKey = new Map<string, KeyCommand>(keyCommands.map((command) => [usualKeys[command], command]));

const chosen = shareValue<ChosenKeys>({});

/** Sets the keys that were chosen; commands that are not known here are left alone. */
export const setChosenKeys = chosen.set;

/** The key of a command. */
export function commandKey(command: KeyCommand): string {
  return chosen.read()[command] || usualKeys[command];
}

/** The keys as they are now; what shows them is drawn again when they change. */
export const useChosenKeys = chosen.useValue;

/** Returns a stroke as the usual key of its command; empty for the usual key of a command that has another one now. */
export function strokeCommand(stroke: string): string {
  const command = keyCommands.find((one) => commandKey(one) === stroke);
  const more = moreKeys[stroke];
  if (command !== undefined || more === undefined) {
    return command !== undefined ? usualKeys[command] : commandsByKey.has(stroke) ? '' : stroke;
  }
  return commandKey(more) === usualKeys[more] ? usualKeys[more] : '';
}

/** Finds keys to press for usual ones, as `c`, `c d r` or `g h`: of two strokes that follow each other the first can be another. */
export function shownKeys(keys: string): string {
  const shown = (stroke: string): string => {
    const command = commandsByKey.get(stroke);
    const more = moreKeys[stroke];
    // Where it means something else now, it is no key of this command.
    return command !== undefined ? commandKey(command) : more !== undefined && strokeCommand(stroke) !== usualKeys[more] ? '' : stroke;
  };
  const [first = '', ...rest] = keys.split(' ');
  const each = first === usualKeys.go ? [shown(first), ...rest] : [first, ...rest].map(shown);
  return each.filter((stroke) => stroke !== '').join(' ');
}

/** Reason a stroke cannot be the key of a command: it is no single key, or another command has it; undefined where it can. */
export function refuseKey(
  command: KeyCommand,
  stroke: string,
): { readonly why: 'notSingle' } | { readonly why: 'taken'; readonly by: KeyCommand } | undefined {
  const bare = stroke.replace(/^shift\+(?=.)/, '');
  if ([...bare].length !== 1 || bare === ' ') {
    return { why: 'notSingle' };
  }
  const by = keyCommands.find((one) => one !== command && commandKey(one) === stroke);
  return by === undefined ? undefined : { why: 'taken', by };
}
