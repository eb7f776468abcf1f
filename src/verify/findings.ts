/** Facts that a verifier collects: what does not hold and where, and what a reader should know beside it. */

/** One thing that does not hold. */
export interface Finding {
  /** Member of the bundle, or `the container`. */
  readonly file: string;
  /** Line of that member, from 1 on. */
  readonly line: number | undefined;
  readonly sentence: string;
}

/** Bundle, key or checkpoint that cannot be read, so that nothing can be said of it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** A finding together with the members that it was drawn from. */
interface Drawn extends Finding {
  readonly from: readonly string[];
}

/** Findings kept; a forged bundle of a million lines would fill the memory with them. */
const maxKept = 10_000;

/** Collects findings. What was drawn from a member whose bytes are damaged counts for nothing, because the damage is what is wrong. */
export class Findings {
  readonly notes: string[] = [];
  readonly #drawn: Drawn[] = [];
  readonly #damaged = new Set<string>();
  #left = 0;

  /** Bytes of a member that are not those of the lists of hashes. */
  damage(file: string, sentence: string, line?: number): void {
    this.#damaged.add(file);
    this.#keep({ file, line, sentence, from: [] });
  }

  /** Something that does not hold, drawn from this member and others. */
  add(
    file: string,
    sentence: string,
    { line, from = [] }: { readonly line?: number | undefined; readonly from?: readonly string[] } = {},
  ): void {
    this.#keep({ file, line, sentence, from: [file, ...from] });
  }

  isDamaged(...files: readonly string[]): boolean {
    return files.some((file) => this.#damaged.has(file));
  }

  /** Findings that count, and how many more there were. */
  list(): { readonly findings: Finding[]; readonly more: number } {
    const findings = this.#drawn
      .filter(({ from }) => !this.isDamaged(...from))
      .map(({ file, line, sentence }) => ({ file, line, sentence }));
    return { findings, more: findings.length === 0 ? 0 : this.#left };
  }

  #keep(drawn: Drawn): void {
    if (this.#drawn.length < maxKept) {
      this.#drawn.push(drawn);
    } else {
      this.#left += 1;
    }
  }
}
