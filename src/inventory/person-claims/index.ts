/** The public interface of claims on people: which source may change whom, and what waits for an administrator. */
export {
  compareWith,
  contentWith,
  type Described,
  getPersonRowSql,
  guarded,
  isSaidBy,
  type PersonContent,
  type Wanted,
} from './content.ts';
export { isRefused, makeClaim, withdrawClaim } from './make-claim.ts';
export { services } from './service.ts';
export { countAbove, findBelonging, findExternalId, insertBelonging } from './store-sources.ts';
export { erasePersonClaims } from './store-erase.ts';
export { moveBelongings, removeBelonging } from './store-merge.ts';
