/** The door of identity: whose account is whose. */
import type { BoundService } from '../../wire/service.ts';

export { getMatchSql, type MatchKeys, type MatchRule, matchRules, type MatchSql } from './store-match.ts';

/** What the room serves. */
export const services: readonly BoundService[] = [];
