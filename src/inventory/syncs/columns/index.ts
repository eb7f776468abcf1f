/** The public interface of the part columns: which column of a file says what: headers, presets, guesses. */
export { type Columns, type HeaderOptions, readHeader } from './columns.ts';
export { createDomainList, type DomainList, type DomainStripping, machineDomains } from './domain-names.ts';
export { complainOfDenial } from './find-denials.ts';
export { findHeader, findNamedRow, type FoundHeader, takeSample } from './find-header.ts';
export { findLost } from './find-lost.ts';
export { findOwnExport } from './own-exports.ts';
export { readGrantedVia, readStep } from './granted-via.ts';
export { tellTwins } from './find-twins.ts';
export { findPreset, mapByPreset, presets } from './presets.ts';
export type { RowFormat } from './row-format.ts';
export { type Difference, type RowGroups, createRowGroups, groupNumber, makeDigestKey, spoilGroups } from './row-groups.ts';
export { type SuggestedMapping, suggestMapping } from './suggest-mapping.ts';
