/** Counts the work of an evaluation, so that every evaluation ends in time. */
import { maxListItems, maxStringBytes, maxWork } from './limits.ts';

/** Thrown where an evaluation handles too much. Unlike other errors it ends the whole evaluation: && and || do not absorb it. */
export class WorkExceeded extends Error {}

/** Counts down what one evaluation may handle. */
export class Work {
  private left = maxWork;

  /** Counts so many items or characters. */
  spend(amount: number): void {
    this.left -= amount;
    if (this.left < 0) {
      throw new WorkExceeded('the expression handles too much');
    }
  }

  /** The text, unless it is too long. */
  text(made: string): string {
    this.spend(made.length);
    if (made.length > maxStringBytes / 3 && (made.length > maxStringBytes || Buffer.byteLength(made) > maxStringBytes)) {
      throw new WorkExceeded(`a text becomes longer than ${maxStringBytes} bytes`);
    }
    return made;
  }

  /** The list, unless it is too long. */
  list<Item>(made: readonly Item[]): readonly Item[] {
    this.spend(made.length);
    if (made.length > maxListItems) {
      throw new WorkExceeded(`a list becomes longer than ${maxListItems} items`);
    }
    return made;
  }
}
