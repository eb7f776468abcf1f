/** Description of a known export. Those that are known stand in presets.ts and the files beside it. */

/** A known export. */
export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly kind: 'people' | 'grants';
  /** Headers that it has, all of them. */
  readonly headers: readonly string[];
  /** As a mapping; where a column is named differently from version to version, its names one after the other, or its beginning and `*`. */
  readonly mapping: Readonly<Record<string, string | readonly string[]>>;
}
