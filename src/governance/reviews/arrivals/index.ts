/** Access that came into the scope of a review after its snapshot: counted while it is open, kept when it closes. */
export {
  type ArrivalCounts,
  findArrivalCounts,
  isSupplementable,
  keepArrivals,
  listUnasked,
  listArrivals,
  readArrivalCounts,
  readArrivalPage,
} from './arrivals.ts';
export { evidence, listArrivalLines } from './store-evidence.ts';
export type { ArrivalKey, ArrivalRow } from './store-arrivals.ts';
