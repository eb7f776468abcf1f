/** The public interface of the part rehearsal: what an import would do, without doing it. */
export { rehearse } from './rehearse.ts';
export { stagePeopleBefore } from './store-rehearsal.ts';
export { readDifferenceToken, shapeRehearsal } from './view-rehearsal.ts';
