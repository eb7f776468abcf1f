/** The public interface of the part suggestions: columns of a file as a person confirms them. */
export { type AskedReading, readAskedReading } from './column-mapping.ts';
export { keepMapping } from './keep-mapping.ts';
export { mappingService } from './service-mapping.ts';
