/** Task names in commands. */
import { UsageError } from '../frame/io.ts';

/** The id or number of a task as it was typed: 12, #12 or an id of 27 characters. */
export function nameTask(typed: string): string {
  const named = typed.replace(/^#/, '');
  if (!/^(?:[0-9]{1,15}|[0-9A-Za-z]{27})$/.test(named)) {
    throw new UsageError(`"${typed}" is neither the number nor the id of a task`);
  }
  return named;
}
