/** The public interface of the module rates: limits that hold over all processes. */
export { type Counted, createRates, type Rates } from './count-rate.ts';
export { type Rate, rates } from './limits.ts';
export { hasOldWindows, removeOldWindows } from './store.ts';
