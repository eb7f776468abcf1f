/** The public interface of merging and splitting people: two that are one, and one that is two, as an administrator says. */
export { services } from './service.ts';
