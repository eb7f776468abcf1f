/** The contract's service about merging and splitting people: each method calls one rule and shapes the reply. */
import { PersonMergeService } from '../../gen/countersign/v1/person_merges_pb.js';
import { implement } from '../../wire/service.ts';
import { mergePeople } from './merge.ts';
import { splitPerson } from './split.ts';

const personMergeService = implement(PersonMergeService, {
  merge: (context, { userId, intoUserId, dryRun }) => mergePeople(context, userId, intoUserId, dryRun),
  split: (context, { userId, recordIds, dryRun }) => splitPerson(context, userId, recordIds, dryRun),
});

/** Services of the module. */
export const services = [personMergeService];
